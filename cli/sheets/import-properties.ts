import type { Kiraya } from '@kiraya/sdk'
import { createProgress } from '../output/progress'
import type { Context } from '../runtime/context'
import { listProperties } from './own-leases'
import { toIdentity, type FileProperty } from './property-sheet'
import { completeProperty } from './property-records'
import type { Locate, SheetError } from './read-sheet'
import { toSheetErrors } from './refusals'

/** Creates what the landlord does not have yet, and returns what the server refused. */
export async function importProperties(
  context: Context,
  properties: FileProperty[],
  locate: Locate,
): Promise<SheetError[]> {
  const client = await context.client()
  const existing = await listByIdentity(client)
  const errors: SheetError[] = []
  const progress = createProgress(context, 'properties', properties.length)
  const seen = new Map<string, number>()
  for (const property of properties) {
    const identity = toIdentity(property.plan)
    // The second of two equal properties in the file is the second that exists.
    const occurrence = seen.get(identity) ?? 0
    seen.set(identity, occurrence + 1)
    const source = { client, key: ['import', identity, occurrence], id: existing.get(identity)?.[occurrence] }
    await completeProperty(source, property.plan).catch((error: unknown) => {
      errors.push(...toPropertyErrors(error, property, locate))
    })
    progress.add(1)
  }
  progress.end()
  return errors
}

async function listByIdentity(client: Kiraya) {
  const groups = Map.groupBy(await listProperties(client), toIdentity)
  return new Map([...groups].map(([identity, group]) => [identity, group.map(({ id }) => id)]))
}

/** A unit of a new property is refused by its place, as `property_units[3].unit_name`. */
const toPropertyErrors = (error: unknown, { line, unitLines }: FileProperty, locate: Locate) =>
  toSheetErrors(error, locate(line, 'property'), property => {
    const [, unit] = /^property_units\W+(\d+)/.exec(property) ?? []
    const column = property.split(/\W+/).findLast(part => part !== '') ?? property
    return locate(unit === undefined ? line : (unitLines[Number(unit)] ?? line), column)
  })
