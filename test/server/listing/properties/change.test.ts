import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { signInUser } from '../../../support/users'
import { broken } from '../../http/forms'
import { allFields } from './shapes'

const server = testServer()
const anyTime = { updated_at: expect.any(String) }

async function createFixture() {
  const landlord = await signInUser(server)
  const { data } = await landlord.post('/properties', { pin_code: 560048, ...allFields })
  const path = `/properties/${data.id}`
  return { landlord, data, path, patch: (change: object) => landlord.patch(path, change) }
}

describe('200: a change', () => {
  test('without fields changes nothing', async () => {
    const { data, patch } = await createFixture()
    expect((await patch({})).body).toEqual({ success: true, data: { ...data, ...anyTime } })
  })

  test('of one field leaves the others, and is dated', async () => {
    const { landlord, data, path, patch } = await createFixture()
    let expected = { ...data, ...anyTime }
    for (const [field, value] of Object.entries({
      property_type: 'commercial',
      society_building: 'Black House',
      survey_number: '9',
      road_name: 'MG Road',
      locality: 'Hoodi',
      landmark: 'Temple',
      alias_name: 'Away',
      country: 'India',
      common_amenities: ['pool', 'null'],
    })) {
      expected = { ...expected, [field]: value }
      expect((await patch({ [field]: value })).data).toEqual(expected)
      expect((await landlord.get(path)).data).toEqual(expected)
    }
    const { updated_at } = (await landlord.get(path)).data
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(data.updated_at))
  })

  test('to null clears a field, or restores its default', async () => {
    const { data, patch } = await createFixture()
    const cleared = {
      survey_number: null,
      road_name: null,
      locality: null,
      landmark: null,
      common_amenities: null,
      alias_name: 'White House',
      country: 'India',
      society_building: null,
    }
    let expected = { ...data, ...anyTime }
    for (const [field, value] of Object.entries(cleared)) {
      expected = { ...expected, [field]: value }
      expect((await patch({ [field]: null })).data).toEqual(expected)
    }
  })
})

describe('a changed PIN code', () => {
  const inKochi = { city: 'Kochi', district: 'Ernakulam', state: 'Kerala' }

  test('200: looks up what the same change does not say; the state follows it', async () => {
    const { patch } = await createFixture()
    const changes: [change: object, place: object][] = [
      [{ pin_code: 682001 }, inKochi],
      [
        { pin_code: 560048, city: 'Whitefield', state: 'France' },
        { city: 'Whitefield', district: 'Bengaluru Urban', state: 'Karnataka' },
      ],
      [
        { pin_code: 682001, city: null, district: 'Cochin' },
        { ...inKochi, district: 'Cochin' },
      ],
    ]
    for (const [change, place] of changes) expect((await patch(change)).data).toMatchObject(place)
  })

  test('200: that stays keeps a correction, until null looks it up', async () => {
    const { landlord, path, patch } = await createFixture()
    await patch({ pin_code: 682001 })
    const corrected = { city: 'Mattancherry', district: 'New Ernakulam' }
    const changes: [change: object, place: object][] = [
      [{ ...corrected, state: 'France' }, corrected],
      [{ landmark: 'Temple', pin_code: 682001, state: null }, corrected],
      [{ district: null }, { city: 'Mattancherry' }],
      [{ city: null }, {}],
    ]
    for (const [change, place] of changes) {
      expect((await patch(change)).data).toMatchObject({ ...inKochi, ...place })
      expect((await landlord.get(path)).data).toMatchObject({ ...inKochi, ...place })
    }
  })

  test('400: an unknown one needs city, district and state', async () => {
    const { landlord, path, patch } = await createFixture()
    const place = { city: 'Newtown', district: 'Newland', state: 'Goa' }
    const refused: [change: object, missing: string[]][] = [
      [{ pin_code: 999999 }, ['city', 'district', 'state']],
      [{ pin_code: 999999, city: 'Newtown', district: null }, ['district', 'state']],
    ]
    for (const [change, missing] of refused) expect((await patch(change)).body).toEqual(broken(...missing))
    expect((await landlord.get(path)).data).toMatchObject({ pin_code: 560048, city: 'Bengaluru' })

    expect((await patch({ pin_code: 999999, ...place })).data).toMatchObject(place)
    expect((await patch({ city: 'Oldtown' })).data).toMatchObject({ ...place, city: 'Oldtown' })
    expect((await patch({ state: null })).body).toEqual(broken('state'))
    expect((await patch({ pin_code: 999998 })).body).toEqual(broken('city', 'district', 'state'))
  })
})
