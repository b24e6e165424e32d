import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createUnit, sendRequest } from '../../support/users'
import { addMeterReadings } from './meter-readings'
import { root } from './project'
import { testScratchCopy } from './scratch-copy'

const { run, running, kiraya } = testScratchCopy(addMeterReadings)
const reading = { meter: 'water', read_on: '2026-10-01', reading: 1042.5 }

test('everything compiles', async () => {
  await run(join(root, 'node_modules/.bin/tsc'))
})

test('the API creates, lists, shows and deletes it, and holds its rule', async () => {
  const { landlord } = running
  const path = `${(await createUnit(landlord)).path}/meter-readings`
  const { status, data } = await landlord.post(path, reading)
  expect([status, data]).toEqual([201, expect.objectContaining({ ...reading, read_by_id: landlord.id })])
  expect((await landlord.get(`${path}?meter=water`)).data).toEqual([data])
  expect((await landlord.get(`${path}?meter=gas`)).data).toEqual([])
  expect((await landlord.get(`${path}/${data.reading_id}`)).data).toEqual(data)

  const { error } = await landlord.post(path, { ...reading, read_on: '2026-11-01', reading: 1000 })
  const message = 'reading must be at least 1042.5, which the meter showed before'
  expect([error.reason, error.message]).toEqual(['reading_below_earlier', message])
  expect((await landlord.delete(`${path}/${data.id}`)).data).toEqual({
    message: 'The meter reading was deleted',
  })
  expect((await landlord.get(`${path}/${data.id}`)).error.reason).toBe('meter_reading_not_found')
  expect((await landlord.get(`${path}/x`)).error.reason).toBe('meter_reading_not_found')
})

test('an export of personal data has it, and /openapi.json describes it', async () => {
  const { landlord, url } = running
  await landlord.post(`${(await createUnit(landlord)).path}/meter-readings`, reading)
  const { tables } = (await landlord.get('/auth/me/export')).data
  expect(tables.meter_readings.at(-1)).toMatchObject(reading)
  const { paths, tags, components } = (await sendRequest(url, 'GET', '/openapi.json')).body
  const { parameters, responses } = paths['/properties/{id}/units/{unitId}/meter-readings/{readingId}'].get
  expect(parameters.at(-1).description).toBe('The numeric id or the UUID of the meter reading')
  expect(responses['404'].description).toContain('`unit_not_found`, `meter_reading_not_found`')
  expect(tags).toContainEqual({ name: 'Meter readings', description: 'What the meters show.' })
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['MeterReading', 'NewMeterReading']))
})

test('the CLI creates, lists, shows and deletes it by the SDK', async () => {
  const { property, unit } = await createUnit(running.landlord)
  const of = [String(property.id), String(unit.id)]
  const flags = ['--meter', 'water', '--read-on', '2026-10-01', '--reading', '1042.5']
  const { id } = JSON.parse(await kiraya('meter-reading', 'create', ...of, ...flags, '--json'))
  const listed = await kiraya('meter-reading', 'list', ...of, '--json', 'id,reading')
  expect(JSON.parse(listed)).toEqual([{ id, reading: 1042.5 }])
  expect(JSON.parse(await kiraya('meter-reading', 'get', ...of, String(id)))).toMatchObject(reading)
  const deleted = await kiraya('meter-reading', 'delete', ...of, String(id), '--yes')
  expect(deleted).toContain('The meter reading was deleted')
})
