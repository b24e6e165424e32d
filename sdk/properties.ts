import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type {
  Message,
  NewProperty,
  Property,
  PropertyCandidate,
  PropertyChange,
  PropertyQuery,
  PropertySearch,
  PropertyWithUnits,
} from '#types'

/** Buildings, societies and plots. Every method throws an `UnauthorizedError` without a valid token. */
export interface PropertyCalls extends ReturnType<typeof createProperties> {}

export const createProperties = (http: HttpClient) => ({
  /**
   * Creates a property, optionally with its first units, and returns both. City, district and state come from the
   * PIN code.
   * @throws {ValidationError} A field is not valid, or the PIN code is unknown and the place is missing.
   * @example
   * const { id, property_units } = await kiraya.properties.create({
   *   pin_code: 560048,
   *   property_type: 'apartment',
   *   property_units: [{ unit_name: 'A-101' }],
   * })
   */
  create: (property: NewProperty, options?: CallOptions) =>
    http.post<PropertyWithUnits>('properties', property, options),

  /**
   * Lists the properties that the user listed or has an active unit in. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.properties.list({ q: 'White House', sort: '-created_at' })
   * for await (const property of kiraya.properties.list()) console.log(property.alias_name)
   */
  list: (query?: PropertyQuery, options?: CallOptions) => http.list<Property>('properties', query, options),

  /**
   * Returns a property with the units that the user may see. Only the creator and the managers of their units see the
   * creator's `alias_name` and `landlord_id`.
   * @throws {NotFoundError} It does not exist, was deleted, or is not visible to the user.
   * @example
   * const property = await kiraya.properties.get(3)
   */
  get: (id: RecordId, options?: CallOptions) => http.get<PropertyWithUnits>(path`properties/${id}`, options),

  /**
   * Changes the given fields and returns the property; null clears an optional field. City and district can be
   * corrected; a changed PIN code looks up what of them is not given.
   * @throws {ForbiddenError} Another user created the property.
   * @throws {ValidationError} The address changes, and other landlords have units in the building.
   * @example
   * await kiraya.properties.update(3, { alias_name: 'White House', landmark: null })
   */
  update: (id: RecordId, change: PropertyChange, options?: CallOptions) =>
    http.patch<PropertyWithUnits>(path`properties/${id}`, change, options),

  /**
   * Deletes the user's listing with their units and drafts. The building stays for others who have units in it.
   * @throws {ValidationError} An agreement of the user's units is pending or active.
   * @example
   * await kiraya.properties.delete(3)
   */
  delete: (id: RecordId, options?: CallOptions) => http.delete<Message>(path`properties/${id}`, options),

  /**
   * Returns up to 10 buildings that match the name, best match first; `score` runs from 0 to 1.
   * @example
   * const [best] = await kiraya.properties.search({ name: 'White House', pin_code: 560048 })
   */
  search: (query: PropertySearch, options?: CallOptions) =>
    http.get<PropertyCandidate[]>('properties/search', options, query),
})
