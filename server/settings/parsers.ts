/** Reads one setting from its text, or throws `InvalidSetting`. */
export type Parser<T> = (text: string) => T

/** Thrown by parsers. The message completes `NAME must be …`. */
export class InvalidSetting extends Error {}

export const parseText: Parser<string> = text => text

export function parseInteger(min: number, max: number): Parser<number> {
  return text => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidSetting(`a whole number from ${min} to ${max}`)
    return value
  }
}

export function parseEnum<const T extends readonly string[]>(...values: T): Parser<T[number]> {
  return text => {
    if (!values.includes(text)) throw new InvalidSetting(`one of ${values.join(', ')}`)
    return text
  }
}

const parseTrueOrFalse = parseEnum('true', 'false')
export const parseBoolean: Parser<boolean> = text => parseTrueOrFalse(text) === 'true'

export const parseOtp: Parser<string> = text => {
  if (!/^\d{6}$/.test(text)) throw new InvalidSetting('six digits')
  return text
}

/** Accepts a URL with one of the schemes and removes its trailing slashes. */
function parseUrl(...schemes: string[]): Parser<string> {
  const prefixes = schemes.map(scheme => `${scheme}//`).join(' or ')
  return text => {
    const scheme = URL.parse(text)?.protocol ?? ''
    if (!schemes.includes(scheme)) throw new InvalidSetting(`a URL beginning with ${prefixes}`)
    return text.replace(/\/+$/, '')
  }
}

export const parseWebUrl = parseUrl('http:', 'https:')
export const parseDatabaseUrl = parseUrl('postgres:', 'postgresql:')

const splitList = (text: string) => text.split(',').map(part => part.trim())

export const parseOrigins: Parser<string[]> = text => {
  const origins = splitList(text).filter(Boolean)
  const isOrigin = (origin: string) => URL.parse(origin)?.origin === origin
  if (!origins.every(isOrigin))
    throw new InvalidSetting('origins such as https://app.example.com, separated by commas')
  return origins
}

/** The first secret is the current one; the others are accepted too, while it is rotated. */
export type Secrets = [current: string, ...others: string[]]

export const parseSecrets: Parser<Secrets> = text => {
  const [current, ...others] = splitList(text)
  if (!current || others.includes('')) throw new InvalidSetting('one secret, or several separated by commas')
  return [current, ...others]
}

const KEY_BYTES = 32

/** Accepts keys of AES-256 in base64, also as used in URLs. */
export const parseKeys: Parser<Secrets> = text => {
  const keys = parseSecrets(text)
  const isKey = (key: string) =>
    /^[A-Za-z0-9+/_-]+=?$/.test(key) && Buffer.from(key, 'base64').length === KEY_BYTES
  if (!keys.every(isKey))
    throw new InvalidSetting(`${KEY_BYTES} bytes in base64, as from openssl rand -base64 ${KEY_BYTES}`)
  return keys
}

const parseChannel = parseEnum('sandbox', 'whatsapp', 'sms')

/** Accepts `sandbox` alone, or real channels in the order of attempts. */
export const parseChannels: Parser<ReturnType<typeof parseChannel>[]> = text => {
  const channels = text.split(',').map(parseChannel)
  const isUnique = channels.length === new Set(channels).size
  const isSandboxMixed = channels.length > 1 && channels.includes('sandbox')
  if (!isUnique || isSandboxMixed)
    throw new InvalidSetting('sandbox alone, or whatsapp and sms in the order of attempts')
  return channels
}
