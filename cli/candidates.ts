import type { Kiraya } from '@kiraya/sdk'
import { toIndianDay, toRupees } from './formats'
import { loadUnitNames, type UnitName } from './labels'
import { isId, resolveAgreement, resolveProperty, toPersonLabel } from './names'
import { sanitizeText } from './sanitize'

/** What a shell offers: a value that the command accepts, and what it stands for. */
export type Candidate = { value: string; description: string }
export type CandidateKind =
  | 'property'
  | 'unit'
  | 'agreement'
  | 'person'
  | 'unit path'
  | 'charge'
  | 'payment'
  | 'revision'

const PAGE = { limit: 100 }
/** Shells hold words apart by other signs, and a leading minus makes a flag. */
const isPlain = (text: string) => /^[\w.][\w.-]*$/.test(text)
/** A name that a shell or a command takes for something else is offered as an id. */
const toValue = (name: string, id: number) => (isPlain(name) && !isId(name) ? name : String(id))

type Load = (client: Kiraya, before: string[]) => Promise<Candidate[]>

const loaders: Record<CandidateKind, Load> = {
  property: async client => {
    const { data } = await client.properties.list(PAGE)
    return data.map(({ id, alias_name, city }) => ({
      value: toValue(alias_name, id),
      description: `${alias_name}, ${city}`,
    }))
  },
  unit: async (client, [property = '']) => {
    const { data } = await client.units.list(await resolveProperty(client, property), PAGE)
    return data.map(({ id, unit_name }) => ({ value: toValue(unit_name, id), description: unit_name }))
  },
  'unit path': async client => {
    const units = await loadUnitNames(client)
    return units.map(({ id, label }: UnitName) => ({ value: String(id), description: label }))
  },
  agreement: async client => {
    const { data } = await client.agreements.list({ ...PAGE, sort: '-id' })
    return data.map(({ id, agreement_number, status }) => ({
      value: toValue(agreement_number, id),
      description: `${agreement_number}, ${status}`,
    }))
  },
  charge: async client => {
    const { data } = await client.charges.list({ ...PAGE, sort: '-due_date' })
    return data.map(({ id, description, due_date, amount_outstanding }) => ({
      value: String(id),
      description: `${description}, ${toIndianDay(due_date)}, ${toRupees(amount_outstanding)}`,
    }))
  },
  payment: async client => {
    const { data } = await client.payments.list({ ...PAGE, sort: '-paid_on' })
    return data.map(({ id, status, paid_on, amount }) => ({
      value: String(id),
      description: `${toRupees(amount)}, ${toIndianDay(paid_on)}, ${status}`,
    }))
  },
  revision: async (client, [agreement = '']) => {
    const { data } = await client.rentRevisions.list(await resolveAgreement(client, agreement), PAGE)
    return data.map(({ id, rent_amount, effective_on, status }) => ({
      value: String(id),
      description: `${toRupees(rent_amount)}, ${toIndianDay(effective_on)}, ${status}`,
    }))
  },
  person: async client => {
    const { data } = await client.tenants.list(PAGE)
    return data.map(person => ({
      value: person.phone ?? String(person.id),
      description: toPersonLabel(person),
    }))
  },
}

/** Returns candidates; `before` are the arguments that stand before. */
export async function loadCandidates(client: Kiraya, kind: CandidateKind, before: string[]) {
  const candidates = await loaders[kind](client, before)
  // Bash runs what a candidate has in `$()`, and a server may send anything as an id.
  return candidates
    .filter(({ value }) => isPlain(value))
    .map(({ value, description }) => ({
      value,
      description: sanitizeText(description),
    }))
}
