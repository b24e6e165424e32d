import type { PageQuery } from './common.ts'

/** The number of rooms: a kitchen (`k`), bedrooms and hall (`bh`). */
export type RoomType = '1rk' | '1bhk' | '2bhk' | '3bhk' | '4bhk' | '5bhk' | 'other'

/** How much furniture a unit has. */
export type FurnishingType = 'fully_furnished' | 'semi_furnished' | 'unfurnished'

/** The optional fields of a unit. In a creation null means absent, in a change it clears the field. */
export interface UnitDetails {
  /** The number of the user who manages the unit. */
  managed_by_id?: number | null
  /** The number of rooms. */
  room_type?: RoomType | null
  /** How much furniture it has. */
  furnishing_type?: FurnishingType | null
  /** The furniture in words, at most 2000 characters. */
  furniture_included?: string | null
  /** Square feet, above 0, with at most two decimals. */
  area_sqft?: number | null
  /** From -20 to 300; 0 is the ground floor. */
  floor_number?: number | null
  /** Whether it can be let; a unit with an ACTIVE agreement cannot. */
  is_available?: boolean | null
  /** Notes of at most 2000 characters. */
  unit_notes?: string | null
  /** At most 100 texts. */
  unit_amenities?: string[] | null
}

/** A unit to create. */
export interface NewUnit extends UnitDetails {
  /** 1 to 255 characters, such as `A-101`. */
  unit_name: string
}

/** The fields of a unit to change. */
export interface UnitChange extends UnitDetails {
  /** 1 to 255 characters, such as `A-101`. */
  unit_name?: string
}

/** A rentable unit of a property. */
export interface Unit {
  /** The unit's number. */
  id: number
  /** The unit's UUID. */
  property_unit_id: string
  /** The property's number. */
  property_id: number
  /** The owner's number. */
  landlord_id: number
  /** The manager's number, or the landlord's without a manager. */
  managed_by_id: number
  /** Such as `A-101`. */
  unit_name: string
  /** The number of rooms. */
  room_type: RoomType | null
  /** How much furniture it has. */
  furnishing_type: FurnishingType | null
  /** The furniture in words. */
  furniture_included: string | null
  /** Square feet. */
  area_sqft: number | null
  /** 0 is the ground floor. */
  floor_number: number | null
  /** Whether it can be let; false while it has an ACTIVE agreement. */
  is_available: boolean
  /** Notes. */
  unit_notes: string | null
  /** Such as `balcony`. */
  unit_amenities: string[] | null
  /** False once it is deleted. */
  is_active: boolean
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp. */
  updated_at: string
}

/** Which units of a property to list. */
export interface UnitQuery extends PageQuery<
  'id' | 'unit_name' | 'created_at' | 'updated_at' | 'area_sqft' | 'floor_number'
> {
  /** Text of 1 to 100 characters to look for. */
  q?: string | undefined
  /** Only units that can, or cannot, be let. */
  is_available?: boolean | undefined
}
