/** The properties of each landlord at every scale, so that lists and counts do not differ between scales. */
const PROPERTIES_OF_LANDLORD = 40
/** Landlords who make the changes, so that the records of those who read stay as they are. */
export const WRITERS = 32
const PROPERTIES_OF_WRITER = 4

export type Layout = {
  landlords: number
  firstWriter: number
  firstTenant: number
  properties: number
  owned: number
}

/** Numbers of users and properties: landlords come first, then the writers, then a tenant for each property. */
export function getLayout(owned: number): Layout {
  const landlords = Math.ceil(owned / PROPERTIES_OF_LANDLORD)
  return {
    landlords,
    firstWriter: landlords + 1,
    firstTenant: landlords + WRITERS + 1,
    properties: owned + WRITERS * PROPERTIES_OF_WRITER,
    owned,
  }
}

export const FIRST_WORDS = 'Green Palm Lake Royal Silver Sai Shanti Lotus Mango Temple'.split(' ')
export const SECOND_WORDS = 'Park Heights Residency Enclave Gardens Towers Villas Court Meadows Plaza'.split(
  ' ',
)

// The same as PostgreSQL computes in fill-rows.ts.
export const getPhone = (userId: number) => `9${String(userId).padStart(9, '0')}`

export const getPinCode = (propertyId: number, { owned }: Layout) =>
  110_001 + (propertyId % Math.max(1, Math.floor(owned / 200)))

export function getBuilding(propertyId: number) {
  const first = FIRST_WORDS[propertyId % 10]
  const second = SECOND_WORDS[Math.floor(propertyId / 10) % 10]
  return `${first} ${second} ${propertyId % 97}`
}

/** A property of a landlord who reads; its id is also that of the agreement of its first unit. */
export const getOwnPropertyId = ({ landlords, owned }: Layout, landlordId: number, index: number) =>
  landlordId + landlords * (index % Math.floor(owned / landlords))

/** Of each ten agreements in a row of a landlord the first two have no books, since they were never active. */
export const getOwnLeaseId = (layout: Layout, landlordId: number, index: number) =>
  getOwnPropertyId(layout, landlordId, 10 * Math.floor(index / 8) + 2 + (index % 8))

/** A property of a writer, another one for each round of the writers. */
export function getWriterPropertyId(layout: Layout, writerId: number, index: number) {
  const { owned, firstWriter } = layout
  const offset = writerId - firstWriter - ((owned + 1) % WRITERS) + WRITERS
  const first = owned + 1 + (offset % WRITERS)
  return first + WRITERS * (Math.floor(index / WRITERS) % PROPERTIES_OF_WRITER)
}

export const getTenantId = ({ firstTenant, properties }: Layout, index: number) =>
  firstTenant + 1 + (index % properties)
