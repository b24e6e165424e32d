import type { Agreement, Kiraya, Page, Property, Tenant } from '@kiraya/sdk'
import { NOT_FOUND, UsageError } from '../runtime/errors'
import { toPhone } from '@kiraya/sdk/phone'
import { sanitizeText } from '../output/sanitize'

// A person names records as they know them; a number or a UUID stays as it is.

const ID = /^\d{1,10}$/
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const isId = (text: string) => ID.test(text) || UUID.test(text)
const MAX_CANDIDATES = 10
const MAX_PAGES = 20

type Candidate = { id: number; label: string }
type Named = {
  noun: 'property' | 'unit' | 'person' | 'agreement'
  name: string
  matches: Candidate[]
  similar: Candidate[]
}

const isSame = (one: string | null, other: string) => one?.trim().toLowerCase() === other.trim().toLowerCase()

/** Returns the one match. Throws a usage error that lists what the name may have meant. */
function pickOne({ noun, name, matches, similar }: Named): number {
  if (matches.length === 1) return matches[0]!.id
  if (matches.length > 1)
    throw new UsageError(`Several match the ${noun} "${name}": ${toList(matches)}. Give the id of one`)
  const hint = similar.length > 0 ? `Did you mean ${toList(similar)}?` : 'You have none.'
  const advice =
    noun === 'person' ? `${hint} A new person is added with: tenant create --phone <number>` : hint
  throw new UsageError(`There is no ${noun} "${name}". ${advice}`, NOT_FOUND)
}

const toList = (candidates: Candidate[]) =>
  candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ id, label }) => sanitizeText(`${label} (id ${id})`))
    .join(', ')

type ListPage<Item> = (query: { q?: string; limit: number; page?: number }) => Promise<Page<Item>>

/** Finds what contains the name; if nothing does, the first of all are similar enough to be listed. */
async function searchByName<Item>(list: ListPage<Item>, q: string, isMatch: (item: Item) => boolean) {
  const found: Item[] = []
  for (let page = 1, lastPage = 1; page <= Math.min(lastPage, MAX_PAGES); page++) {
    // "A-1" is in many names, so that it may be on a later page.
    const { data, metadata } = await list({ q, limit: 100, page })
    found.push(...data)
    lastPage = metadata.total_pages
  }
  const matches = found.filter(isMatch)
  if (found.length > 0) return { matches, similar: found }
  const first = await list({ limit: MAX_CANDIDATES })
  return { matches, similar: first.data }
}

const toPropertyCandidate = ({ id, alias_name, city, pin_code }: Property): Candidate => ({
  id,
  label: `${alias_name}, ${city} ${pin_code}`,
})

/** Returns the id of a property that is given by id or by its alias name. */
export async function resolveProperty(client: Kiraya, text: string): Promise<string> {
  if (isId(text)) return text
  const found = await searchByName(client.properties.list, text, ({ alias_name }) => isSame(alias_name, text))
  const matches = found.matches.map(toPropertyCandidate)
  const similar = found.similar.map(toPropertyCandidate)
  return String(pickOne({ noun: 'property', name: text, matches, similar }))
}

/** Returns the id of a unit of a property, given by id or name. */
async function resolveUnitOfProperty(client: Kiraya, propertyId: string, text: string): Promise<string> {
  if (isId(text)) return text
  const list: ListPage<{ id: number; unit_name: string }> = query => client.units.list(propertyId, query)
  const found = await searchByName(list, text, ({ unit_name }) => isSame(unit_name, text))
  const toCandidate = ({ id, unit_name }: { id: number; unit_name: string }) => ({ id, label: unit_name })
  const matches = found.matches.map(toCandidate)
  return String(pickOne({ noun: 'unit', name: text, matches, similar: found.similar.map(toCandidate) }))
}

/** Returns the ids of property and unit, given as two names or as one such as `White House/A-101`. */
export async function resolveUnitPath(client: Kiraya, property: string, unit?: string) {
  const [propertyName, unitName] = unit === undefined ? splitUnitName(property) : [property, unit]
  const propertyId = await resolveProperty(client, propertyName)
  return { propertyId, unitId: await resolveUnitOfProperty(client, propertyId, unitName) }
}

/** Names of units may contain a slash; a property whose name does is given by its id. */
function splitUnitName(text: string): [property: string, unit: string] {
  const slash = text.indexOf('/')
  if (slash > 0) return [text.slice(0, slash).trim(), text.slice(slash + 1).trim()]
  throw new UsageError(`"${text}" names no unit. Give its id, or property and name, as "White House/A-101"`)
}

/** Returns the id of a unit that is given by id or as `White House/A-101`. */
export async function resolveUnit(client: Kiraya, text: string): Promise<number> {
  if (ID.test(text)) return Number(text)
  const { propertyId, unitId } = await resolveUnitPath(client, text)
  if (ID.test(unitId)) return Number(unitId)
  const unit = await client.units.get(propertyId, unitId)
  return unit.id
}

type Person = Omit<Tenant, 'id' | 'user_id'>

/** How a list of candidates tells people of one name apart. */
const toPersonLabel = ({ first_name, last_name, phone }: Person) =>
  [first_name, last_name, phone && `+91 ${phone}`].filter(Boolean).join(' ') || 'without a name'

/** Returns the id of a person whom the user has named, or of the user, given by id, phone number or name. */
export async function resolvePerson(client: Kiraya, text: string): Promise<number> {
  const phone = toPhone(text)
  if (!phone && ID.test(text)) return Number(text)
  const fits = ({ first_name, last_name, phone: ownPhone }: Person) =>
    phone ? ownPhone === phone : isSame(first_name, text) || isSame(`${first_name} ${last_name}`, text)
  const [firstWord = text] = text.trim().split(/\s+/)
  const found = await searchByName(client.tenants.list, phone ?? firstWord, fits)
  if (found.matches.length === 0) {
    const { user } = await client.auth.me()
    if (fits(user)) return user.id
  }
  const toCandidate = (person: Tenant) => ({ id: person.id, label: toPersonLabel(person) })
  const similar = found.similar.map(toCandidate)
  return pickOne({ noun: 'person', name: text, matches: found.matches.map(toCandidate), similar })
}

/** Returns the id of an agreement that is given by id or by its number, such as `AGR-2026-000001`. */
export async function resolveAgreement(client: Kiraya, text: string): Promise<string> {
  if (isId(text)) return text
  const isMatch = ({ agreement_number }: Agreement) => isSame(agreement_number, text)
  const found = await searchByName(client.agreements.list, text, isMatch)
  const toCandidate = ({ id, agreement_number, status }: Agreement) => ({
    id,
    label: `${agreement_number}, ${status}`,
  })
  const similar = found.similar.map(toCandidate)
  const matches = found.matches.map(toCandidate)
  return String(pickOne({ noun: 'agreement', name: text, matches, similar }))
}

/** Returns the same as a number, as lists are narrowed by it. */
export async function resolveAgreementId(client: Kiraya, text: string): Promise<number> {
  const id = await resolveAgreement(client, text)
  if (ID.test(id)) return Number(id)
  const agreement = await client.agreements.get(id)
  return agreement.id
}

/** Returns the UUID of an agreement's signature that is given by id, or by the signer's phone number or name. */
export async function resolveSignature(client: Kiraya, agreementId: string, text: string): Promise<string> {
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
