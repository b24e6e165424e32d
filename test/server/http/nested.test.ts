import { expect, test } from 'bun:test'
import { createDraft, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'

const it = testServer()

test('400: names the place within a list or a record', async () => {
  const owner = await createLandlord(it.url)
  const { status, body } = await owner.call('POST', '/properties', {
    pin_code: 560048,
    property_type: 'pg',
    society_building: 5,
    common_amenities: ['lift', ''],
    property_units: [{ unit_name: 'A' }, { managed_by_id: 'x', unit_amenities: [null] }],
  })
  expect(status).toBe(400)
  expect(body.error.details.map(({ property }: { property: string }) => property)).toEqual([
    'society_building',
    'common_amenities.1',
    'property_units.1.unit_name',
    'property_units.1.managed_by_id',
    'property_units.1.unit_amenities.0',
  ])
  expect(body.error.details[2].constraints).toEqual({
    is_required: 'property_units.1.unit_name is required and must be text of 1 to 255 characters',
  })
})

test.each([[{ a: '\u0000' }], [{ a: '\ud800' }], [{ a: 5 }], [{ 'a\u0000': 'x' }], [{ a: null }]])(
  '400: template variables %j',
  async template_variables => {
    const owner = await createLandlord(it.url)
    const { agreement } = await createDraft(owner, [await signInUser(it.url)])
    const { status, body } = await owner.call('POST', `/agreements/${agreement.id}/sign`, {
      signer_id: owner.id,
      flexi_options: { template_variables },
    })
    expect({ status, code: body.error.code, property: body.error.details[0].property }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      property: expect.stringContaining('flexi_options.template_variables'),
    })
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('DRAFT')
  },
)
