import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import { iterateItems } from './pagination.ts'
import type { Message, NewUnit, Unit, UnitChange, UnitQuery } from './types/index.ts'

/**
 * The rentable units of a property. Areas are in square feet. Every method throws a `NotFoundError` for a
 * property or unit that the user may not see.
 */
export interface UnitCalls extends ReturnType<typeof createUnits> {}

export function createUnits(http: HttpClient) {
  const list = (propertyId: RecordId, query?: UnitQuery, options?: CallOptions) =>
    http.getPage<Unit>(path`properties/${propertyId}/units`, query, options)

  return {
    /**
     * Creates a unit. A property's UUID works for any property, its number only if the user already sees it.
     * @throws {ValidationError} A field is not valid.
     * @example
     * const unit = await kiraya.units.create(3, { unit_name: 'A-102', room_type: '2bhk', area_sqft: 980 })
     */
    create: (propertyId: RecordId, unit: NewUnit, options?: CallOptions) =>
      http.create<Unit>(path`properties/${propertyId}/units`, options, { json: unit }),

    /**
     * Returns a page of the units that the user owns or manages in a property.
     * @example
     * const { data, metadata } = await kiraya.units.list(3, { is_available: true })
     */
    list,

    /**
     * Yields every unit of the list, page by page.
     * @example
     * for await (const unit of kiraya.units.iterate(3)) console.log(unit.unit_name)
     */
    iterate: (propertyId: RecordId, query?: UnitQuery, options?: CallOptions) =>
      iterateItems((page: UnitQuery) => list(propertyId, page, options), query),

    /**
     * Returns one unit.
     * @example
     * const unit = await kiraya.units.get(3, 5)
     */
    get: (propertyId: RecordId, unitId: RecordId, options?: CallOptions) =>
      http.get<Unit>(path`properties/${propertyId}/units/${unitId}`, options),

    /**
     * Changes the given fields and returns the unit; null clears an optional field.
     * @throws {ForbiddenError} A manager tries to appoint another manager.
     * @example
     * await kiraya.units.update(3, 5, { furnishing_type: 'semi_furnished', unit_notes: null })
     */
    update: (propertyId: RecordId, unitId: RecordId, change: UnitChange, options?: CallOptions) =>
      http.patch<Unit>(path`properties/${propertyId}/units/${unitId}`, options, { json: change }),

    /**
     * Deletes a unit with its drafts.
     * @throws {ValidationError} An agreement for the unit is pending or active.
     * @example
     * await kiraya.units.delete(3, 5)
     */
    delete: (propertyId: RecordId, unitId: RecordId, options?: CallOptions) =>
      http.delete<Message>(path`properties/${propertyId}/units/${unitId}`, options),

    /**
     * Gives a unit that the user manages back to its landlord; the user no longer sees it.
     * @throws {ForbiddenError} The user is its landlord.
     * @example
     * await kiraya.units.resign(3, 5)
     */
    resign: (propertyId: RecordId, unitId: RecordId, options?: CallOptions) =>
      http.create<Message>(path`properties/${propertyId}/units/${unitId}/resign`, options, { json: {} }),
  }
}
