import recorded from './client-samples.json'
import type { Json } from './schemas'

/** How our clients send a request, by `METHOD /path/{id}`; recorded by `test/server/docs/code-samples.test.ts`. */
const clientSamples: Record<string, { sdk?: string; cli: string } | undefined> = recorded

/** The variables of a shell that have the tokens, by security scheme. */
const TOKENS: Record<string, string> = {
  bearer: '$TOKEN',
  operator: '$OPS_TOKEN',
  sandbox: '$SANDBOX_TOKEN',
}

/** Shows how curl, the SDK and the CLI send the request that a description has as its example. */
export function createCodeSamples(method: string, path: string, described: Json, baseUrl: string) {
  const { sdk, cli } = clientSamples[`${method} ${path}`] ?? {}
  const samples = [
    { lang: 'Shell', label: 'curl', source: toCurl(method, `${baseUrl}${path}`, described) },
    { lang: 'TypeScript', label: 'SDK', source: sdk },
    { lang: 'Shell', label: 'CLI', source: cli },
  ]
  return samples.filter(({ source }) => source !== undefined)
}

function toCurl(method: string, address: string, { parameters, requestBody, responses, security }: Json) {
  const { path, query, header } = groupExamples(parameters)
  const url = new URL(address.replace(/\{(\w+)\}/g, (_, name: string) => path[name]!))
  url.search = new URLSearchParams(query).toString()
  const headers = [
    ...security.flatMap(Object.keys).map((scheme: string) => `Authorization: Bearer ${TOKENS[scheme]}`),
    ...Object.entries(header).map(([name, value]) => `${name}: ${value}`),
  ]
  const isDownload = /^(application\/pdf|image)/.test(Object.keys(responses[200]?.content ?? {})[0] ?? '')
  const lines = [
    `curl '${url.href}'`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...headers.map(each => `-H "${each}"`),
    ...toBodyFlags(requestBody?.content),
    ...(isDownload ? ['--remote-name --remote-header-name'] : []),
  ]
  return lines.join(' \\\n  ')
}

type Place = 'path' | 'query' | 'header'

/** The examples of parameters by their place and name. */
function groupExamples(parameters: Json[]) {
  const examples: Record<Place, Record<string, string>> = { path: {}, query: {}, header: {} }
  for (const { in: place, name, example } of parameters)
    if (example !== undefined) examples[place as Place][name] = String(example)
  // With the key of an example there would be one request in all.
  if (examples.header['Idempotency-Key']) examples.header['Idempotency-Key'] = '$(uuidgen)'
  return examples
}

function toBodyFlags(content: Record<string, Json> = {}) {
  return Object.entries(content).flatMap(([type, { example }]) => {
    const body = example === undefined ? '@photo.jpg' : JSON.stringify(example, null, 2)
    return [`-H "Content-Type: ${type}"`, `--data-binary '${body.replaceAll("'", String.raw`'\''`)}'`]
  })
}
