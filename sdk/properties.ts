import type {
  Message,
  NewProperty,
  Property,
  PropertyCandidate,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from './contract'
import type { HttpClient } from './http-client'
import { iterateItems } from './pagination'
import { path, type RecordId } from './path'

/** Buildings, societies and plots. Every method throws `UnauthorizedError` without a valid token. */
export function createProperties(http: HttpClient) {
  /** A page of the properties that the user created or has an active unit in. */
  const list = (query?: PropertyQuery) => http.page<Property>('properties', query)

  return {
    /**
     * Lists a property, with its first units if wanted: all of them or nothing. Its place comes from the PIN code.
     * @throws {ValidationError} A field is not valid, or the PIN code is not known and the place is missing.
     */
    create: (property: NewProperty) => http.create<PropertyWithUnits>('properties', property),

    list,

    /** All of them, page by page. */
    iterate: (query?: PropertyQuery) => iterateItems(list, query),

    /** @throws {NotFoundError} Absent, deleted, or somebody else's. */
    get: (id: RecordId) => http.get<PropertyWithUnits>(path`properties/${id}`),

    /**
     * Changes what is given; null clears an optional field.
     * @throws {ForbiddenError} Only its creator changes a property.
     */
    update: (id: RecordId, change: PropertyChange) =>
      http.patch<PropertyWithUnits>(path`properties/${id}`, change),

    /**
     * Deletes a property with the user's units and their drafts.
     * @throws {ValidationError} Others have units in it, or an agreement is pending or active.
     */
    delete: (id: RecordId) => http.delete<Message>(path`properties/${id}`),

    /** Up to 10 buildings that may be the one looked for, the likeliest first; `score` runs from 0 to 1. */
    search: (query: PropertySearch) => http.get<PropertyCandidate[]>('properties/search', query),
  }
}
