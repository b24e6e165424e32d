// Runs in the browser: it may use nothing of the server.

declare const SwaggerUIBundle: (options: object) => Ui
type Ui = {
  preauthorizeApiKey: (scheme: string, value: string) => void
  specActions: { updateSpec: (text: string) => void }
  layoutActions: { updateFilter: (text: string) => void }
}
/** Any JSON, such as part of the description. */
type Json = Record<string, any>

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!
const otp = find('#api').dataset.otp
const variants = find<HTMLSelectElement>('#variant')

async function loadDescription() {
  const response = await fetch(variants.value)
  const description: Json = await response.json()
  const operations = Object.values<Json>(description.paths).flatMap(path => Object.values<Json>(path))
  for (const operation of operations) {
    operation.description = [operation.description, ...operation['x-codeSamples'].map(toMarkdown)].join(
      '\n\n',
    )
    // A key that is sent twice gets the first answer again, which is not what a reader tries.
    for (const parameter of operation.parameters)
      if (parameter.name === 'Idempotency-Key') delete parameter.example
  }
  return description
}

/** The library shows a description as Markdown, and no samples of its own before a request is sent. */
const toMarkdown = ({ label, source }: Json) => `**${label}**\n\n\`\`\`\n${source}\n\`\`\``

async function post(path: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: Json = await response.json()
  if (!response.ok) throw new Error(answer.error.message ?? answer.message)
  return answer.data ?? answer
}

/** Signs a new user in with the one-time password of the sandbox. */
async function signIn() {
  // A mobile number that hardly anyone has tried before, under the name of each variant.
  const phone = `9${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`
  const user = { phone_number: phone, phoneNumber: phone }
  await post('/auth', user)
  const { access_token } = await post('/auth/verify', { ...user, otp })
  return { phone, token: access_token as string }
}

async function signInByButton(button: HTMLButtonElement) {
  button.disabled = true
  try {
    const { phone, token } = await signIn()
    ui.preauthorizeApiKey('bearer', token)
    find('#session').textContent = `Signed in as ${phone}`
  } catch (error) {
    find('#session').textContent = `The sign-in failed: ${(error as Error).message}`
  } finally {
    button.disabled = false
  }
}

/** Whether texts together have every word of a phrase, in the singular or the plural. */
function hasWords(texts: unknown[], phrase: string) {
  const text = texts.join(' ').toLowerCase()
  const words = phrase.toLowerCase().split(/\s+/)
  return words.every(word => text.includes(toStem(word)))
}

/** `property` and `properties` have one stem. */
const toStem = (word: string) => (word.length > 3 ? word.replace(/(ies|y|s)$/, '') : word)

/** Finds operations by all words of a text, wherever they are; the library looks at tags and paths alone. */
function filterOperations(taggedOperations: any, phrase: string) {
  const isFound = (heading: string, each: any) => {
    const { summary, description, operationId } = each.get('operation').toJS()
    return hasWords(
      [heading, each.get('method'), each.get('path'), summary, description, operationId],
      phrase,
    )
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

const ui = SwaggerUIBundle({
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
  plugins: [{ fn: { opsFilter: filterOperations }, components: { FilterContainer: () => null } }],
})

const button = document.querySelector<HTMLButtonElement>('#sign-in')
button?.addEventListener('click', () => void signInByButton(button))
variants.addEventListener('change', async () => {
  ui.specActions.updateSpec(JSON.stringify(await loadDescription()))
})
const input = find<HTMLInputElement>('#filter')
input.addEventListener('input', () => ui.layoutActions.updateFilter(input.value))
