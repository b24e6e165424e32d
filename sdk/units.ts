import type { Message, NewUnit, Unit, UnitChange, UnitQuery } from './contract'
import type { Http } from './http'
import { everyItem } from './pages'
import { path, type Id } from './path'

/** The rentable units of a property, whose id comes first. Every method throws `NotFoundError` for one that the user may not see. */
export function units(http: Http) {
  /** A page of the units that the user owns or manages there. */
  const list = (property: Id, query?: UnitQuery) => http.page<Unit>(path`properties/${property}/units`, query)

  return {
    /** Adds a unit: by its UUID to any property, by its number to one that the user already has. */
    create: (property: Id, unit: NewUnit) => http.create<Unit>(path`properties/${property}/units`, unit),

    list,

    /** All of them, page by page. */
    iterate: (property: Id, query?: UnitQuery) => everyItem((page: UnitQuery) => list(property, page), query),

    get: (property: Id, unit: Id) => http.get<Unit>(path`properties/${property}/units/${unit}`),

    /**
     * Changes what is given; null clears an optional field.
     * @throws {ForbiddenError} Only the landlord names the manager.
     */
    update: (property: Id, unit: Id, change: UnitChange) =>
      http.patch<Unit>(path`properties/${property}/units/${unit}`, change),

    /** @throws {ValidationError} An agreement is pending or active. */
    delete: (property: Id, unit: Id) => http.delete<Message>(path`properties/${property}/units/${unit}`),
  }
}
