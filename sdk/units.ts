import type { Message, NewUnit, Paging, Unit, UnitChange, UnitQuery } from './contract'
import type { Http } from './http'
import { everyItem } from './pages'
import { path, type Id } from './path'

/** The rentable units of a property, whose id comes first. Every method throws `NotFoundError` for one that the user may not see. */
export class Units {
  constructor(private readonly http: Http) {}

  /** Adds a unit: by its UUID to any property, by its number to one that the user already has. */
  create = (property: Id, unit: NewUnit) => this.http.post<Unit>(path`properties/${property}/units`, unit)

  /** A page of the units that the user owns or manages there. */
  list = (property: Id, query?: UnitQuery) => this.http.page<Unit, Paging>(path`properties/${property}/units`, query)

  /** All of them, page by page. */
  iterate = (property: Id, query?: UnitQuery) => everyItem(page => this.list(property, { ...query, page }), query?.page)

  get = (property: Id, unit: Id) => this.http.get<Unit>(path`properties/${property}/units/${unit}`)

  /**
   * Changes what is given; null clears an optional field.
   * @throws {ForbiddenError} Only the landlord names the manager.
   */
  update = (property: Id, unit: Id, change: UnitChange) => this.http.patch<Unit>(path`properties/${property}/units/${unit}`, change)

  /** @throws {ValidationError} An agreement is pending or active. */
  delete = (property: Id, unit: Id) => this.http.delete<Message>(path`properties/${property}/units/${unit}`)
}
