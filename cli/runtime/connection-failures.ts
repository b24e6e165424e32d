/** What the codes of the runtimes mean; the first that fits applies. */
const causes: [codes: RegExp, meaning: string][] = [
  [/refused/i, 'the connection was refused'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host is unknown'],
  [/^(HPE_|ERR_SSL_|EPROTO)/, 'what answers there does not speak this protocol, http or https'],
]

type Failure = { code?: string; cause?: unknown }

const addresses = new WeakMap<object, string>()

/** Keeps the address of a request that failed. The SDK throws another error, which has this one or its cause. */
export function keepAddress(error: unknown, url: string) {
  if (!(error instanceof Error)) return
  addresses.set(error, url)
  if (error.cause instanceof Error) addresses.set(error.cause, url)
}

/** Returns a sentence with the address that did not answer and the cause, or undefined. */
export function describeConnectionFailure(error: unknown) {
  const chain = toChain(error)
  const address = chain.map(one => addresses.get(one)).find(url => url !== undefined)
  if (!address) return undefined
  const code = chain.find(one => one.code !== 'NETWORK_ERROR' && one.code)?.code ?? ''
  const meaning = causes.find(([codes]) => codes.test(code))?.[1] ?? 'the connection failed or was lost'
  return `${new URL(address).origin} is unreachable: ${meaning}`
}

function toChain(error: unknown) {
  const chain: Failure[] = []
  for (let one = error; one instanceof Error; one = one.cause) chain.push(one as Failure)
  return chain
}
