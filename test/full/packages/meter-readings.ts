import type { Changes } from './scratch-copy'

// The recipe "Add a noun" of server/README.md, carried out for the readings of a unit's meters.

const CONTRACT = `import { Type, type Static } from '@sinclair/typebox'
import * as common from './common.ts'
import { described, field } from './common.ts'

export const Meter = field(common.stringEnum('electricity', 'gas', 'water'), 'What a meter counts.')
export type Meter = Static<typeof Meter>

const fields = {
  meter: field(Meter, 'What it counts'),
  read_on: field(common.CalendarDate, 'The day on which it was read'),
  reading: field(common.decimal({ minimum: 0, maximum: 9_999_999 }), 'What it showed'),
}

export const NewMeterReading = described('A reading of a meter.', fields)
export type NewMeterReading = Static<typeof NewMeterReading>

export const MeterReading = described('What a meter of a unit showed on a day.', {
  ...common.identity('reading_id'),
  property_unit_id: field(Type.Integer(), "The unit's number"),
  read_by_id: field(Type.Integer(), 'The number of the user who entered it'),
  ...common.view(fields),
  created_at: field(common.Timestamp, 'When it was entered'),
})
export type MeterReading = Static<typeof MeterReading>

export const MeterReadingPage = common.page(MeterReading)
export const MeterReadingQuery = described('Which readings of a unit to list.', {
  ...common.pageQuery(['id', 'read_on'], '-read_on'),
  meter: common.maybe(Meter, 'Only those of this meter'),
})
export type MeterReadingQuery = Static<typeof MeterReadingQuery>
`

const ENTITY = `import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { Meter } from '@kiraya/sdk/contract'
import { createdAt, numericId, uuid } from './columns'
import { PropertyUnit } from './property-unit'
import { User } from './user'

export const MeterReading = defineEntity({
  name: 'MeterReading',
  tableName: 'meter_readings',
  indexes: [{ name: 'meter_readings_unit', properties: ['property_unit_id', 'meter', 'read_on'] }],
  properties: {
    id: numericId(),
    reading_id: uuid(),
    property_unit_id: () => p.manyToOne(PropertyUnit).mapToPk().fieldName('property_unit_id'),
    read_by_id: () => p.manyToOne(User).mapToPk().fieldName('read_by_id'),
    meter: p.enum(Meter.enum),
    read_on: p.date(),
    reading: p.decimal('number').precision(12).scale(2),
    ...createdAt,
  },
})
export type MeterReading = InferEntity<typeof MeterReading>
`

const QUERIES = `import { MeterReading, type MeterReadingQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { toColumns } from '../../domain/fields'
import { hasId, recordPath, type PathIds } from '../../http/record-id'
import type { Parent, UserId } from '../../http/reads/reader'
import { selectUnitRow, type UnitPath } from '../units/queries'

export const ReadingPath = recordPath({ id: 'property', unitId: 'unit', readingId: 'meter_reading' })
export type ReadingPath = PathIds<typeof ReadingPath>
export const ofUnit: Parent<UnitPath> = { select: selectUnitRow, missing: 'unit_not_found' }

const columns = toColumns('meter_readings as r', MeterReading)

const selectVisible = (db: Db, userId: UserId, path: UnitPath) =>
  selectUnitRow(db, userId, path).innerJoin('meter_readings as r', 'r.property_unit_id', 'u.id')

export function selectReadings(db: Db, userId: UserId, { meter, ...path }: UnitPath & MeterReadingQuery) {
  const readings = selectVisible(db, userId, path).select(columns)
  return meter === undefined ? readings : readings.where('r.meter', '=', meter)
}

export function selectReading(db: Db, userId: UserId, { readingId, ...path }: ReadingPath) {
  return selectVisible(db, userId, path).where(hasId('r', 'reading_id', readingId)).select(columns)
}
`

const SERVICE = `import type { NewMeterReading } from '@kiraya/sdk/contract'
import { MeterReading } from '../../../db/entities'
import type { Tx } from '../../deps'
import { refuse, refuseFields } from '../../errors'
import { findVisible, loadView } from '../../http/changes'
import { results } from '../../messages/results'
import { lockUnit } from '../units/access'
import type { UnitPath } from '../units/queries'
import { selectReading, type ReadingPath } from './queries'

export async function createReading(tx: Tx, path: UnitPath, input: NewMeterReading) {
  const unit = await lockUnit(tx, path)
  await requireRise(tx, unit.id, input)
  const ids = { property_unit_id: unit.id, read_by_id: tx.actor.id }
  const reading = tx.em.create(MeterReading, { ...input, ...ids })
  await tx.em.flush()
  return loadView(tx, selectReading, { ...path, readingId: { id: reading.id } })
}

/** @throws VALIDATION_ERROR The meter showed more before that day. The unit is locked. */
async function requireRise({ em }: Tx, property_unit_id: number, { meter, read_on, reading }: NewMeterReading) {
  const above = { property_unit_id, meter, read_on: { $lte: read_on }, reading: { $gt: reading } }
  const earlier = await em.findOne(MeterReading, above)
  if (earlier) throw refuseFields('reading_below_earlier', 'reading', { earlier: earlier.reading })
}

export async function deleteReading(tx: Tx, path: ReadingPath) {
  await lockUnit(tx, path)
  const reading = await findVisible(tx, selectReading, path)
  if (!reading) throw refuse('meter_reading_not_found')
  await tx.em.nativeDelete(MeterReading, reading.id)
  return { message: results.meter_reading_deleted }
}
`

const ROUTES = `import { Elysia } from 'elysia'
import { Message, MeterReading, MeterReadingPage, MeterReadingQuery, NewMeterReading } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { rawJson } from '../../http/reads/raw-json'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { UnitPath } from '../units/queries'
import { ofUnit, ReadingPath, selectReading, selectReadings } from './queries'
import { createReading, deleteReading } from './service'
import examples from './examples.json'

const READINGS = '/properties/:id/units/:unitId/meter-readings'
const READING = '/properties/:id/units/:unitId/meter-readings/:readingId'

export const meterReadingRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Meter readings'], detail: { examples } }).use(reads(deps)).use(changes(deps))

const reads = (deps: Deps) =>
  readerRoutes(deps)
    .get(READINGS, ({ reader, params, query }) => reader.page(selectReadings, { ...params, ...query }, ofUnit), {
      params: UnitPath,
      query: MeterReadingQuery,
      response: { 200: rawJson(MeterReadingPage) },
      detail: {
        operationId: 'listMeterReadings',
        summary: 'List the meter readings of a unit',
        description: 'Lists what the meters of a unit showed, page by page, the newest day first.',
      },
    })
    .get(READING, ({ reader, params }) => reader.one(selectReading, params, 'meter_reading_not_found'), {
      params: ReadingPath,
      response: { 200: rawJson(MeterReading) },
      detail: {
        operationId: 'getMeterReading',
        summary: 'Get a meter reading',
        description: 'Returns what a meter of a unit showed on a day.',
      },
    })

const changes = (deps: Deps) =>
  actorRoutes(deps)
    .post(READINGS, ({ change, params, body }) => change(createReading, params, body), {
      params: UnitPath,
      body: NewMeterReading,
      response: created(MeterReading),
      detail: {
        operationId: 'createMeterReading',
        summary: 'Add a meter reading to a unit',
        description: 'Adds what a meter showed, as the landlord or the manager. No meter counts backwards.',
        reasons: ['reading_below_earlier'],
      },
    })
    .delete(READING, ({ change, params }) => change(deleteReading, params), {
      params: ReadingPath,
      response: { 200: Message },
      detail: {
        operationId: 'deleteMeterReading',
        summary: 'Delete a meter reading',
        description: 'Deletes a reading that was entered wrongly.',
      },
    })
`

const MESSAGES = `import type { Errors, Results } from './words'

export const errors = {
  meter_reading_not_found: ['Meter reading not found', 'मीटर की रीडिंग नहीं मिली'],
  reading_below_earlier: ({ earlier }: { earlier: number }) => [
    \`must be at least \${earlier}, which the meter showed before\`,
    \`कम से कम \${earlier} होनी चाहिए, जो मीटर ने पहले दिखाई थी\`,
  ],
} satisfies Errors

export const results = {
  meter_reading_deleted: ['The meter reading was deleted', 'मीटर की रीडिंग हटा दी गई है'],
} satisfies Results
`

const SDK = `import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { Message, MeterReading, MeterReadingQuery, NewMeterReading } from '#types'

/** What the meters of units show. Every method throws a \`NotFoundError\` for what the user may not see. */
export interface MeterReadingCalls extends ReturnType<typeof createMeterReadings> {}

export const createMeterReadings = (http: HttpClient) => ({
  /**
   * Adds a reading to a unit and returns it.
   * @example
   * await kiraya.meterReadings.create(3, 5, { meter: 'water', read_on: '2026-10-01', reading: 1042.5 })
   */
  create: (property: RecordId, unit: RecordId, reading: NewMeterReading, options?: CallOptions) =>
    http.post<MeterReading>(path\`properties/\${property}/units/\${unit}/meter-readings\`, reading, options),

  /**
   * Lists the readings of a unit. \`await\` returns a page, \`for await\` yields all.
   * @example
   * const { data } = await kiraya.meterReadings.list(3, 5, { meter: 'water' })
   */
  list: (property: RecordId, unit: RecordId, query?: MeterReadingQuery, options?: CallOptions) =>
    http.list<MeterReading>(path\`properties/\${property}/units/\${unit}/meter-readings\`, query, options),

  /**
   * Returns one reading.
   * @example
   * const { reading } = await kiraya.meterReadings.get(3, 5, 7)
   */
  get: (property: RecordId, unit: RecordId, id: RecordId, options?: CallOptions) =>
    http.get<MeterReading>(path\`properties/\${property}/units/\${unit}/meter-readings/\${id}\`, options),

  /**
   * Deletes a reading that was entered wrongly.
   * @example
   * await kiraya.meterReadings.delete(3, 5, 7)
   */
  delete: (property: RecordId, unit: RecordId, id: RecordId, options?: CallOptions) =>
    http.delete<Message>(path\`properties/\${property}/units/\${unit}/meter-readings/\${id}\`, options),
})
`

const CLI = `import { Message } from '@kiraya/sdk/contract/common'
import { MeterReading, MeterReadingQuery, NewMeterReading } from '@kiraya/sdk/contract/meter-readings'
import { list, read, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  list: list({
    summary: 'List the meter readings of a unit',
    records: ['property', 'unit'],
    input: MeterReadingQuery,
    columns: ['id', 'meter', 'read_on', 'reading'],
    call: client => client.meterReadings.list,
  }),
  get: read({
    summary: 'Show a meter reading',
    records: ['property', 'unit', 'meter-reading'],
    call: client => client.meterReadings.get,
  }),
  create: send({
    summary: 'Add a meter reading to a unit',
    records: ['property', 'unit'],
    input: NewMeterReading,
    examples: ['kiraya meter-reading create "White House/A-101" --meter gas --read-on 2026-10-01 --reading 42'],
    result: MeterReading,
    call: client => client.meterReadings.create,
  }),
  delete: send({
    summary: 'Delete a meter reading',
    records: ['property', 'unit', 'meter-reading'],
    confirm: reading => \`Delete the meter reading \${reading}\`,
    result: Message,
    call: client => client.meterReadings.delete,
  }),
}
`

const PRIVACY = `  meter_readings: {
    isOwn: ({ id }) => sql\`t.property_unit_id in (
      select u.id from property_units u where \${isOwn('u', id)} or \${isManagedUnit('u', id)} and u.is_active
    )\`,
    omitted: [],
    atErasure: 'unchanged',
  },`

export async function addMeterReadings({ write, addAfter, replace }: Changes) {
  await write('sdk/contract/meter-readings.ts', CONTRACT)
  await addAfter('sdk/contract/index.ts', "export * from './maint", "export * from './meter-readings.ts'")
  await addAfter('sdk/contract/reasons.ts', '  invitation_not', "  meter_reading_not_found: 'NOT_FOUND',")
  const reason = "  reading_below_earlier: 'VALIDATION_ERROR',"
  await addAfter('sdk/contract/reasons.ts', '  pin_code_unknown', reason)
  await write('db/entities/meter-reading.ts', ENTITY)
  await addAfter('db/entities/tables.ts', "export * from './maint", "export * from './meter-reading'")
  await addAfter('server/privacy/tables.ts', '  agreement_tenants:', PRIVACY)

  const files = { queries: QUERIES, service: SERVICE, routes: ROUTES }
  for (const [name, text] of Object.entries(files))
    await write(`server/listing/meter-readings/${name}.ts`, text)
  await write('server/listing/meter-readings/examples.json', '{}')
  await replace('README.md', 'tenants | units |', 'tenants | units | meter-readings |')
  const path = './listing/meter-readings/routes'
  await addAfter('server/app.ts', 'import { main', `import { meterReadingRoutes } from '${path}'`)
  await addAfter('server/app.ts', '    unitRoutes', '    meterReadingRoutes(deps),')
  await addAfter('server/app.ts', "  'Property units'", "  'Meter readings': 'What the meters show.',")
  await write('server/messages/meter-readings.ts', MESSAGES)
  const catalogue = 'server/messages/catalogue.ts'
  await addAfter(catalogue, 'import * as maint', "import * as meterReadings from './meter-readings'")
  await addAfter(catalogue, '  ...maintenance.errors', '  ...meterReadings.errors,')
  await addAfter(catalogue, '  ...maintenance.results', '  ...meterReadings.results,')

  await write('sdk/meter-readings.ts', SDK)
  const names = 'createMeterReadings, type MeterReadingCalls'
  await addAfter('sdk/client.ts', 'import { createMaint', `import { ${names} } from './meter-readings.ts'`)
  await addAfter('sdk/client.ts', '  MaintenanceCalls', '  MeterReadingCalls,')
  const calls = 'meterReadings: createMeterReadings(http) as MeterReadingCalls,'
  await addAfter('sdk/client.ts', '  units:', `  /** What the meters of units show. */\n  ${calls}`)
  await write('cli/commands/meter-reading.ts', CLI)
  const noun = "'meter-reading': ['What the meters of a unit show', () => import('./meter-reading')],"
  await addAfter('cli/commands/index.ts', '  unit:', `  ${noun}`)
}
