import { fillRequest, type ExampleRequest } from './fill-request'
import { exampleRequests } from './requests'
import { hasWords } from './filter'
import { findSession, signIn, type Session } from './sign-in'

// Runs in the browser: it may use nothing of the server.

declare const SwaggerUIBundle: (options: object) => Ui
type Ui = {
  preauthorizeApiKey: (scheme: string, value: string) => void
  specActions: { updateSpec: (text: string) => void }
  layoutActions: { updateFilter: (text: string) => void }
}
/** A part of the description, which is any JSON. */
type Json = Record<string, any>

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!
const otp = find('#api').dataset.otp
const forms = find<HTMLSelectElement>('#variant')

let ui: Ui
let session = findSession()

/** Finds operations by all words of a text, wherever they are; the library looks at tags and paths alone. */
function filterOperations(taggedOperations: any, phrase: string) {
  const isFound = (tag: string, each: any) => {
    const { summary, description, operationId } = each.get('operation').toJS()
    return hasWords([tag, each.get('method'), each.get('path'), summary, description, operationId], phrase)
  }
  return taggedOperations
    .map((group: any, tag: string) => {
      const heading = `${tag} ${group.getIn(['tagDetails', 'description']) ?? ''}`
      return group.update('operations', (operations: any) =>
        operations.filter((each: any) => isFound(heading, each)),
      )
    })
    .filter((group: any) => group.get('operations').size > 0)
}

/** Only the providers can sign their webhooks. */
const isTriedByPeople = (path: string) => path !== '/webhooks/esign'

const plugin = () => ({
  fn: { opsFilter: filterOperations },
  components: { FilterContainer: () => null },
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor: (original: any) => (state: any, path: string, method: string) =>
          isTriedByPeople(path) && original(state, path, method),
      },
    },
  },
})

async function loadDescription() {
  const response = await fetch(forms.value)
  const description: Json = await response.json()
  for (const [path, methods] of Object.entries<Json>(description.paths))
    for (const [method, operation] of Object.entries<Json>(methods))
      useOwnExamples(operation, exampleRequests[`${method.toUpperCase()} ${path}`])
  return description
}

/** Puts the records of the signed-in landlord into the examples. */
function useOwnExamples(operation: Json, request: ExampleRequest | undefined) {
  const parameters: Json[] = operation.parameters
  // A key that is sent twice gets the first answer again, which is not what a reader tries.
  for (const parameter of parameters) if (parameter.name === 'Idempotency-Key') delete parameter.example
  if (!session || !request) return
  const { params = {}, query = {}, body } = fillRequest(request, session.records)
  const values: Json = { ...params, ...query }
  for (const parameter of parameters)
    if (isKnown(values[parameter.name])) parameter.example = String(values[parameter.name])

  const content: Json | undefined = operation.requestBody?.content['application/json']
  if (typeof body !== 'object' || body === null || !content) return
  const examples: Json[] = content.examples ? Object.values(content.examples) : []
  for (const example of examples) example.value = toForm(example.value, body)
  if (content.example) content.example = toForm(content.example, body)
}

/** Some records are those of operators and providers alone. */
const isKnown = (value: unknown) => value !== undefined && !String(value).startsWith('$')

/** The values of a body under the names that an example has: those of its variant. */
function toForm(example: Json, body: Json) {
  const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const pairs = Object.keys(example).map(name => [name, body[name] ?? body[toSnakeCase(name)]])
  return Object.fromEntries(pairs)
}

function authorize({ token, records }: Session) {
  session = { token, records }
  ui.preauthorizeApiKey('bearer', token)
  find('#session').textContent = `Signed in as ${records.phone}; the examples are yours`
}

/** A sign-in that is tried on the page counts for the next call. */
function useNewToken(response: Json) {
  const token = response.obj?.data?.access_token ?? response.obj?.access_token
  if (token && session) authorize({ ...session, token })
  return response
}

async function show() {
  ui.specActions.updateSpec(JSON.stringify(await loadDescription()))
}

async function signInByButton(button: HTMLButtonElement) {
  button.disabled = true
  find('#session').textContent = 'Signing in and creating records …'
  try {
    const signedIn = await signIn(otp!)
    authorize(signedIn)
    await show()
  } catch (error) {
    find('#session').textContent = `The sign-in failed: ${(error as Error).message}`
  } finally {
    button.disabled = false
  }
}

/** The library filters operations alone. */
function filterWebhooks(phrase: string) {
  for (const webhook of document.querySelectorAll<HTMLElement>('.webhooks .opblock'))
    webhook.hidden = !hasWords(['webhooks', webhook.textContent], phrase)
}

function filter(phrase: string) {
  ui.layoutActions.updateFilter(phrase)
  filterWebhooks(phrase)
}

function listen() {
  const button = document.querySelector<HTMLButtonElement>('#sign-in')
  button?.addEventListener('click', () => void signInByButton(button))
  forms.addEventListener('change', () => void show())
  find<HTMLInputElement>('#filter').addEventListener('input', ({ target }) =>
    filter((target as HTMLInputElement).value),
  )
}

async function start() {
  ui = SwaggerUIBundle({
    spec: await loadDescription(),
    dom_id: '#api',
    deepLinking: true,
    validatorUrl: null,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    displayOperationId: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    plugins: [plugin],
    responseInterceptor: useNewToken,
    onComplete: () => session && authorize(session),
  })
  listen()
}

void start()
