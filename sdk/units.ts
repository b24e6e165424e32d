import type { Message, NewUnit, Unit, UnitChange, UnitQuery } from './contract'
import type { HttpClient } from './http-client'
import { iterateItems } from './pagination'
import { path, type RecordId } from './path'

/** The rentable units of a property, whose id comes first. Every method throws `NotFoundError` for one that the user may not see. */
export function createUnits(http: HttpClient) {
  /** A page of the units that the user owns or manages there. */
  const list = (property: RecordId, query?: UnitQuery) =>
    http.page<Unit>(path`properties/${property}/units`, query)

  return {
    /** Adds a unit: by its UUID to any property, by its number to one that the user already has. */
    create: (property: RecordId, unit: NewUnit) =>
      http.create<Unit>(path`properties/${property}/units`, unit),

    list,

    /** All of them, page by page. */
    iterate: (property: RecordId, query?: UnitQuery) =>
      iterateItems((page: UnitQuery) => list(property, page), query),

    get: (property: RecordId, unit: RecordId) => http.get<Unit>(path`properties/${property}/units/${unit}`),

    /**
     * Changes what is given; null clears an optional field.
     * @throws {ForbiddenError} Only the landlord names the manager.
     */
    update: (property: RecordId, unit: RecordId, change: UnitChange) =>
      http.patch<Unit>(path`properties/${property}/units/${unit}`, change),

    /** @throws {ValidationError} An agreement is pending or active. */
    delete: (property: RecordId, unit: RecordId) =>
      http.delete<Message>(path`properties/${property}/units/${unit}`),
  }
}
