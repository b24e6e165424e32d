import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { Message, NewUnit, Unit, UnitChange, UnitQuery } from '#types'

/**
 * The rentable units of a property. Areas are in square feet. Every method throws a `NotFoundError` for a property
 * or unit that the user may not see.
 */
export interface UnitCalls extends ReturnType<typeof createUnits> {}

export const createUnits = (http: HttpClient) => ({
  /**
   * Creates a unit. A UUID works for any property, a number only for one that the user already sees.
   * @throws {ValidationError} A field is not valid.
   * @example
   * const unit = await kiraya.units.create(3, { unit_name: 'A-102', room_type: '2bhk', area_sqft: 980 })
   */
  create: (propertyId: RecordId, unit: NewUnit, options?: CallOptions) =>
    http.post<Unit>(path`properties/${propertyId}/units`, unit, options),

  /**
   * Lists the units of a property that the user owns or manages. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.units.list(3, { is_available: true })
   * for await (const unit of kiraya.units.list(3)) console.log(unit.unit_name)
   */
  list: (propertyId: RecordId, query?: UnitQuery, options?: CallOptions) =>
    http.list<Unit>(path`properties/${propertyId}/units`, query, options),

  /**
   * Returns one unit.
   * @example
   * const unit = await kiraya.units.get(3, 5)
   */
  get: (propertyId: RecordId, unitId: RecordId, options?: CallOptions) =>
    http.get<Unit>(path`properties/${propertyId}/units/${unitId}`, options),

  /**
   * Changes the given fields and returns the unit; null clears an optional one.
   * @throws {ForbiddenError} A manager tries to appoint another manager.
   * @example
   * await kiraya.units.update(3, 5, { furnishing_type: 'semi_furnished', unit_notes: null })
   */
  update: (propertyId: RecordId, unitId: RecordId, change: UnitChange, options?: CallOptions) =>
    http.patch<Unit>(path`properties/${propertyId}/units/${unitId}`, change, options),

  /**
   * Deletes a unit with its drafts.
   * @throws {ValidationError} The unit has a PENDING or ACTIVE agreement.
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
    http.post<Message>(path`properties/${propertyId}/units/${unitId}/resign`, {}, options),
})
