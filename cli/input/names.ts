import type { ErrorReason, Kiraya, PagePromise, Property, RecordId, Tenant } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { NOT_FOUND, UsageError } from '../runtime/errors'
import { toNameKey } from '@kiraya/sdk/contract/names'
import { toPhone } from '@kiraya/sdk/phone'
import { sanitizeText } from '../output/sanitize'

/** What commands take as arguments, and how a person may name it, unless by the id or UUID of a record. */
const help = {
  property: 'id, UUID or alias name',
  unit: 'id, UUID or name; or a single argument such as "White House/A-101"',
  agreement: 'id, UUID or agreement number',
  signature: "id, UUID or the signer's phone number",
  revision: 'id or UUID of the new rent',
  attachment: 'UUID, or its beginning as tables show it',
  file: 'a picture (JPEG, PNG or WebP) or a PDF',
  webhook: 'its number',
  invitation: 'its number',
  failure: 'its id',
  request: 'signing address, or the id at its end',
  check: 'verification address, or the id at its end',
  mode: 'auto or manual',
  provider: 'esign, ekyc or messages',
  behaviour:
    'for calls: error, timeout, slow, garbage, malformed, lost, link; ' +
    'for webhooks: late, twice, forged, never; for new requests: succeed, decline, fail-otp, expire, fail',
}
type Hyphened<Words> = Words extends `${infer Word}_${infer Rest}` ? `${Word}-${Hyphened<Rest>}` : Words
/** A record is what the server may not find. */
type OfReason<Reason> = Reason extends `${infer Record}_not_found` ? Hyphened<Record> : never
export type RecordKind = keyof typeof help | OfReason<ErrorReason>

export const getHelp = (kind: RecordKind) => (kind in help ? help[kind as keyof typeof help] : 'id or UUID')

// A person names records as they know them; a number or a UUID stays as it is.

const ID = /^\d{1,10}$/
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const isId = (text: string) => ID.test(text) || UUID.test(text)
const MAX_CANDIDATES = 10
const MAX_FOUND = 2_000

type ListPage<Item> = (query: { q?: string; limit: number; page?: number }) => PagePromise<Item>
type Search<Item> = {
  noun: 'property' | 'unit' | 'person' | 'agreement'
  list: ListPage<Item>
  /** What the server searches for; by default the name. */
  q?: string
  isMatch: (item: Item) => boolean
  toLabel: (item: Item) => string
  /** Finds what no list has. */
  findElsewhere?: () => Promise<number | undefined>
}

const isSame = (one: string | null, other: string) => one !== null && toNameKey(one) === toNameKey(other)

/** Returns the id of the one record with a name. Throws a usage error that lists what the name may have meant. */
async function findByName<Item extends { id: number }>(name: string, search: Search<Item>): Promise<number> {
  const { noun, list, isMatch, toLabel, findElsewhere } = search
  // "A-1" is in many names, so that it may be on a later page.
  const found = await list({ q: search.q ?? name, limit: 100, page: 1 }).toArray({ limit: MAX_FOUND })
  const matches = found.filter(isMatch)
  const [match] = matches
  if (matches.length > 1)
    throw new UsageError(
      `Several match the ${noun} "${name}": ${toCandidates(matches, toLabel)}. Give the id of one`,
    )
  const id = match?.id ?? (await findElsewhere?.())
  if (id !== undefined) return id

  // If nothing contains the name, the first of all are similar enough to be listed.
  const similar = found.length > 0 ? found : (await list({ limit: MAX_CANDIDATES })).data
  const hint = similar.length > 0 ? `Did you mean ${toCandidates(similar, toLabel)}?` : 'You have none.'
  const more = noun === 'person' ? ' A new person is added with: tenant create --phone <number>' : ''
  throw new UsageError(`There is no ${noun} "${name}". ${hint}${more}`, NOT_FOUND)
}

const toCandidates = <Item extends { id: number }>(items: Item[], toLabel: (item: Item) => string) =>
  items
    .slice(0, MAX_CANDIDATES)
    .map(item => sanitizeText(`${toLabel(item)} (id ${item.id})`))
    .join(', ')

/** Returns the id of a property that is given by id or by its alias name. */
export async function resolveProperty({ properties }: Kiraya, text: string): Promise<RecordId> {
  if (isId(text)) return text
  return findByName(text, {
    noun: 'property',
    list: properties.list,
    isMatch: ({ alias_name }) => isSame(alias_name, text),
    toLabel: toPropertyLabel,
  })
}

const toPropertyLabel = ({ alias_name, city, pin_code }: Property) => `${alias_name}, ${city} ${pin_code}`

/**
 * The same before the name of a unit, where digits may be either: a building called 12, or the property with the id 12.
 */
async function resolvePropertyOfUnit(client: Kiraya, text: string): Promise<RecordId> {
  if (!ID.test(text)) return resolveProperty(client, text)
  const { data } = await client.properties.list({ q: text, limit: 100 })
  const others = data.filter(({ id, alias_name }) => isSame(alias_name, text) && String(id) !== text)
  if (others.length === 0) return text
  const candidates = toCandidates(others, toPropertyLabel)
  throw new UsageError(
    `"${text}" is the id of a property or the name of ${candidates}. Give the id of the unit`,
  )
}

/** After the id of a property, digits may be either, too: the bed called 8, or the unit with the id 8. */
async function resolveUnitOfPropertyId(client: Kiraya, text: string, property: RecordId): Promise<RecordId> {
  if (!ID.test(text)) return resolveUnitOfProperty(client, text, property)
  const { data } = await client.units.list(property, { q: text, limit: 100 })
  const others = data.filter(({ id, unit_name }) => isSame(unit_name, text) && String(id) !== text)
  if (others.length === 0) return text
  const candidates = toCandidates(others, ({ unit_name }) => unit_name)
  throw new UsageError(
    `"${text}" is the id of a unit or the name of ${candidates}. Give the id, or the name as "${property}/${text}"`,
  )
}

/** Names of units may contain a slash; a property whose name does is given by its id. */
function splitUnitName(text: string): [property: string, unit: string] {
  const slash = text.indexOf('/')
  if (slash > 0) return [text.slice(0, slash).trim(), text.slice(slash + 1).trim()]
  const hint = ID.test(text)
    ? 'Give its property before it'
    : 'Give its id, or property and name, as "White House/A-101"'
  throw new UsageError(`"${text}" names no unit. ${hint}`)
}

/** Digits after the name of a property are a name: flats and beds are called 101 or 8. */
async function resolveUnitOfProperty({ units }: Kiraya, text: string, property: RecordId): Promise<RecordId> {
  if (UUID.test(text)) return text
  return findByName(text, {
    noun: 'unit',
    list: query => units.list(property, query),
    isMatch: ({ unit_name }) => isSame(unit_name, text),
    toLabel: ({ unit_name }) => unit_name,
  })
}

/** Returns the id of a unit that is given by id or as `White House/A-101`. */
export async function resolveUnit(client: Kiraya, text: string): Promise<number> {
  if (ID.test(text)) return Number(text)
  const [property, name] = splitUnitName(text)
  const propertyId = await resolvePropertyOfUnit(client, property)
  const unitId = await resolveUnitOfProperty(client, name, propertyId)
  if (!UUID.test(String(unitId))) return Number(unitId)
  const unit = await client.units.get(propertyId, unitId)
  return unit.id
}

type Person = Omit<Tenant, 'id' | 'user_id'>

/** Returns the id of a person whom the user has named, or of the user, given by id, phone number or name. */
export async function resolvePerson({ tenants, auth }: Kiraya, text: string): Promise<number> {
  const phone = toPhone(text)
  if (!phone && ID.test(text)) return Number(text)
  const isMatch = ({ first_name, last_name, phone: ownPhone }: Person) =>
    phone ? ownPhone === phone : isSame(first_name, text) || isSame(`${first_name} ${last_name}`, text)
  const [firstWord = text] = text.trim().split(/\s+/)
  return findByName(text, {
    noun: 'person',
    list: tenants.list,
    q: phone ?? firstWord,
    isMatch,
    toLabel: toPersonLabel,
    findElsewhere: async () => {
      const { user } = await auth.me()
      return isMatch(user) ? user.id : undefined
    },
  })
}

/** How a list of candidates tells people of one name apart. */
const toPersonLabel = ({ first_name, last_name, phone }: Person) =>
  [first_name, last_name, phone && `+91 ${phone}`].filter(Boolean).join(' ') || 'without a name'

/** Returns the id of an agreement that is given by id or by its number, such as `AGR-2026-000001`. */
async function resolveAgreement({ agreements }: Kiraya, text: string): Promise<RecordId> {
  if (isId(text)) return text
  return findByName(text, {
    noun: 'agreement',
    list: agreements.list,
    isMatch: ({ agreement_number }) => isSame(agreement_number, text),
    toLabel: ({ agreement_number, status }) => `${agreement_number}, ${status}`,
  })
}

/** Returns the same as a number, as lists are narrowed by it. */
export async function resolveAgreementId(client: Kiraya, text: string): Promise<number> {
  const id = await resolveAgreement(client, text)
  if (!UUID.test(String(id))) return Number(id)
  const agreement = await client.agreements.get(id)
  return agreement.id
}

/** Returns the UUID of an agreement's signature that is given by id, or by the signer's phone number or name. */
export async function resolveSignature(client: Kiraya, text: string, agreementId: RecordId): Promise<string> {
  if (UUID.test(text)) return text
  const { signatures } = await client.agreements.signatures(agreementId)
  const byId = signatures.find(({ id }) => String(id) === text)
  if (byId) return byId.signature_id
  if (ID.test(text) && !toPhone(text)) return text
  const personId = await resolvePerson(client, text)
  const signature = signatures.find(({ signer_id }) => signer_id === personId)
  if (signature) return signature.signature_id
  throw new UsageError(`${text} has no signature in this agreement`, NOT_FOUND)
}

/** Returns the UUID of a request's attachment that is given by it, or by its beginning. */
async function resolveAttachment({ maintenance }: Kiraya, text: string, requestId: RecordId) {
  if (UUID.test(text)) return text
  const { attachments } = await maintenance.get(requestId)
  const matches = attachments.filter(({ attachment_id }) => attachment_id.startsWith(text.toLowerCase()))
  if (matches.length === 1) return matches[0]!.attachment_id
  throw new UsageError(`The request has ${matches.length} attachments that begin with ${text}`, NOT_FOUND)
}

type Resolve = (client: Kiraya, text: string, parent: RecordId) => Promise<RecordId>

/** How an argument becomes an id; some depend on the record before them. Others have only ids. */
const resolvers: Partial<Record<RecordKind, Resolve>> = {
  property: resolveProperty,
  unit: resolveUnitOfProperty,
  agreement: resolveAgreement,
  signature: resolveSignature,
  attachment: resolveAttachment,
}

/** Replaces the names among a command's arguments by ids. */
export async function resolveRecords(context: Context, kinds: RecordKind[], parsed: unknown[]) {
  const [first, second] = parsed as string[]
  const isUnitPath = kinds[1] === 'unit' && second === undefined
  const texts = isUnitPath ? splitUnitName(first!) : (parsed as string[])
  const ids: RecordId[] = []
  for (const [index, kind] of kinds.entries()) {
    const text = texts[index]!
    const isOfId = kind === 'unit' && !isUnitPath && isId(first!)
    const isOfUnit = kind === 'property' && isUnitPath
    const special = isOfId ? resolveUnitOfPropertyId : isOfUnit ? resolvePropertyOfUnit : undefined
    const resolve = special ?? resolvers[kind]
    ids.push(resolve ? await resolve(await context.client(), text, ids[0]!) : text)
  }
  return [...ids, ...parsed.slice(kinds.length)]
}
