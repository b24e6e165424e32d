import { describe, expect, test } from 'bun:test'
import { Kind, type TSchema } from '@sinclair/typebox'
import * as contract from '@kiraya/sdk/contract'
import { testServer } from '../../support/server'
import {
  completeProfile,
  createDraft,
  createLandlord,
  createProperty,
  createTenant,
  createUnit,
  sendRequest,
  signInUser,
} from '../../support/users'

const server = testServer()
const BLANKS = ' \t\u00a0 '
const pad = (text: string) => `${BLANKS}${text}${BLANKS}`
/** A character of two UTF-16 units. */
const WIDE = '𝒜'

describe('a profile', () => {
  test('200: names and e-mail are trimmed', async () => {
    const user = await signInUser(server)
    const { status, data } = await completeProfile(user, {
      first_name: pad('Asha'),
      last_name: pad('Rao'),
      email: pad('asha@example.com'),
    })
    expect([status, data.user]).toMatchObject([
      200,
      { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' },
    ])
  })

  test('200: names are trimmed in Variant A, too', async () => {
    const user = await signInUser(server)
    const { body } = await user.put('/profile/complete', {
      firstName: pad('Asha'),
      lastName: pad('Rao'),
      email: pad('asha@example.com'),
    })
    expect(body.user).toMatchObject({ firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' })
  })

  test('a name has at most 255 characters, however many UTF-16 units they are, after trimming', async () => {
    const user = await signInUser(server)
    const longest = WIDE.repeat(255)
    const accepted = await completeProfile(user, { first_name: pad(longest) })
    expect([accepted.status, accepted.data.user.first_name]).toEqual([200, longest])

    const refused = await completeProfile(user, { first_name: WIDE.repeat(256) })
    expect([refused.status, refused.error.details]).toEqual([
      400,
      [
        {
          property: 'first_name',
          constraints: { max_length: 'first_name must be at most 255 characters long' },
        },
      ],
    ])
  })

  test('400: a name of blanks', async () => {
    const user = await signInUser(server)
    const { status, error } = await completeProfile(user, { first_name: BLANKS })
    expect([status, error.details[0].property]).toEqual([400, 'first_name'])
  })
})

describe('a password', () => {
  const logIn = (phone: string, password: string) =>
    sendRequest(server, 'POST', '/auth/login', { body: { phone_number: phone, password } })

  test('keeps its blanks, which count as characters', async () => {
    const user = await signInUser(server)
    expect((await completeProfile(user, { password: ' 6 long ' })).status).toBe(200)
    expect((await logIn(user.phone, '6 long')).status).toBe(401)
    expect((await logIn(user.phone, ' 6 long ')).status).toBe(200)
  })

  test('400: fewer than 8 characters, although they are 8 UTF-16 units', async () => {
    const user = await signInUser(server)
    const { status, error } = await completeProfile(user, { password: WIDE.repeat(7) })
    expect([status, error.details[0].constraints]).toEqual([
      400,
      { min_length: 'password must be at least 8 characters long' },
    ])
    expect((await completeProfile(user, { password: WIDE.repeat(8) })).status).toBe(200)
  })
})

describe('other texts', () => {
  test('are trimmed in nested records and arrays', async () => {
    const landlord = await signInUser(server)
    const { property } = await createProperty(landlord, {
      society_building: pad('Palm Court'),
      common_amenities: [pad('Pool'), 'Gym'],
      property_units: [{ unit_name: pad('A-1'), unit_notes: pad(WIDE.repeat(5000)) }],
    })
    expect(property).toMatchObject({
      society_building: 'Palm Court',
      common_amenities: ['Pool', 'Gym'],
      property_units: [{ unit_name: 'A-1', unit_notes: WIDE.repeat(5000) }],
    })
  })

  test('are trimmed in changes, where null still clears and blanks are refused', async () => {
    const landlord = await signInUser(server)
    const { path } = await createUnit(landlord)
    const change = async (unit_notes: unknown) => {
      const { status, data } = await landlord.patch(path, { unit_notes })
      return [status, data?.unit_notes]
    }
    expect(await change(pad('Key at the gate'))).toEqual([200, 'Key at the gate'])
    expect((await change(BLANKS))[0]).toBe(400)
    expect(await change(null)).toEqual([200, null])
  })

  test('of an agreement and of a tenant are trimmed', async () => {
    const landlord = await createLandlord(server)
    const tenant = await createTenant(server)
    const { agreement } = await createDraft(landlord, [tenant], { payment_terms: pad('By the fifth') })
    expect(agreement.payment_terms).toBe('By the fifth')
    const named = await landlord.post('/tenants', { phone_number: tenant.phone, first_name: pad('Ravi') })
    expect(named.data.first_name).toBe('Ravi')
  })

  test('of a query are trimmed', async () => {
    const landlord = await signInUser(server)
    await createProperty(landlord, { alias_name: 'Palm Court' })
    const { data } = await landlord.get(`/properties?q=${encodeURIComponent(pad('palm'))}`)
    expect(data).toHaveLength(1)
    const tooLong = await landlord.get(`/properties?q=${encodeURIComponent(WIDE.repeat(101))}`)
    const longest = await landlord.get(`/properties?q=${encodeURIComponent(WIDE.repeat(100))}`)
    expect([tooLong.status, longest.status]).toEqual([400, 200])
  })

  test('what is no text is refused as before', async () => {
    const landlord = await signInUser(server)
    for (const first_name of [7, true, ['Asha'], { toString: 1 }])
      expect((await completeProfile(landlord, { first_name })).status).toBe(400)
  })
})

test('every length in the contract is counted in characters', () => {
  const schemas = Object.values(contract).flatMap(listSchemas)
  const limited = schemas.filter(
    ({ type, minLength, maxLength }) => type === 'string' && (minLength ?? maxLength) !== undefined,
  )
  expect(limited.length).toBeGreaterThan(20)
  expect(limited.filter(schema => schema[Kind] !== 'Text')).toEqual([])
})

function listSchemas(value: unknown): TSchema[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as TSchema, ...Object.values(value).flatMap(listSchemas)]
}
