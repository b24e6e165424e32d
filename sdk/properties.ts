import type {
  Message,
  NewProperty,
  Property,
  PropertyCandidate,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from './contract/index.ts'
import type { HttpClient } from './http-client.ts'
import { iterateItems } from './pagination.ts'
import { path, type RecordId } from './path.ts'

/** Buildings, societies and plots. Every method throws an `UnauthorizedError` without a valid token. */
export function createProperties(http: HttpClient) {
  /** Returns a page of the properties that the user listed or has an active unit in. */
  const list = (query?: PropertyQuery) => http.getPage<Property>('properties', query)

  return {
    /**
     * Creates a property, optionally with its first units, and returns both. City, district and state come
     * from the PIN code.
     * @throws {ValidationError} A field is not valid, or the PIN code is unknown and the place is missing.
     */
    create: (property: NewProperty) => http.create<PropertyWithUnits>('properties', property),

    list,

    /** Yields every property of the list, page by page. */
    iterate: (query?: PropertyQuery) => iterateItems(list, query),

    /**
     * Returns a property with the units that the user may see. Only the creator and the managers of their
     * units see the creator's `alias_name` and `landlord_id`.
     * @throws {NotFoundError} It does not exist, was deleted, or is not visible to the user.
     */
    get: (id: RecordId) => http.get<PropertyWithUnits>(path`properties/${id}`),

    /**
     * Changes the given fields and returns the property; null clears an optional field.
     * @throws {ForbiddenError} Another user created the property.
     */
    update: (id: RecordId, change: PropertyChange) =>
      http.patch<PropertyWithUnits>(path`properties/${id}`, change),

    /**
     * Deletes the user's listing with their units and drafts. The building stays for others who have units
     * in it.
     * @throws {ValidationError} An agreement of the user's units is pending or active.
     */
    delete: (id: RecordId) => http.delete<Message>(path`properties/${id}`),

    /** Returns up to 10 buildings that match the name, best match first; `score` runs from 0 to 1. */
    search: (query: PropertySearch) => http.get<PropertyCandidate[]>('properties/search', query),
  }
}
