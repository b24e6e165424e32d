import type { Message, NewUnit, Unit, UnitChange, UnitQuery } from './contract/index.ts'
import type { HttpClient } from './http-client.ts'
import { iterateItems } from './pagination.ts'
import { path, type RecordId } from './path.ts'

/**
 * The rentable units of a property. Areas are in square feet. Every method throws a `NotFoundError` for a
 * property or unit that the user may not see.
 */
export function createUnits(http: HttpClient) {
  /** Returns a page of the units that the user owns or manages in a property. */
  const list = (propertyId: RecordId, query?: UnitQuery) =>
    http.getPage<Unit>(path`properties/${propertyId}/units`, query)

  return {
    /**
     * Creates a unit. A property's UUID works for any property, its number only if the user already sees it.
     * @throws {ValidationError} A field is not valid.
     */
    create: (propertyId: RecordId, unit: NewUnit) =>
      http.create<Unit>(path`properties/${propertyId}/units`, unit),

    list,

    /** Yields every unit of the list, page by page. */
    iterate: (propertyId: RecordId, query?: UnitQuery) =>
      iterateItems((pageQuery: UnitQuery) => list(propertyId, pageQuery), query),

    /** Returns one unit. */
    get: (propertyId: RecordId, unitId: RecordId) =>
      http.get<Unit>(path`properties/${propertyId}/units/${unitId}`),

    /**
     * Changes the given fields and returns the unit; null clears an optional field.
     * @throws {ForbiddenError} A manager tries to appoint another manager.
     */
    update: (propertyId: RecordId, unitId: RecordId, change: UnitChange) =>
      http.patch<Unit>(path`properties/${propertyId}/units/${unitId}`, change),

    /**
     * Deletes a unit with its drafts.
     * @throws {ValidationError} An agreement for the unit is pending or active.
     */
    delete: (propertyId: RecordId, unitId: RecordId) =>
      http.delete<Message>(path`properties/${propertyId}/units/${unitId}`),

    /**
     * Gives a unit that the user manages back to its landlord; the user no longer sees it.
     * @throws {ForbiddenError} The user is its landlord.
     */
    resign: (propertyId: RecordId, unitId: RecordId) =>
      http.post<Message>(path`properties/${propertyId}/units/${unitId}/resign`),
  }
}
