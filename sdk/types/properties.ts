import type { PageQuery } from './common.ts'
import type { NewUnit, Unit } from './units.ts'

/** The kind of a property; `pg` is paying-guest accommodation. */
export type PropertyType = 'apartment' | 'gated_community_villa' | 'independent_house' | 'commercial' | 'pg'

/** The optional fields of a property, texts of at most 255 characters. In a change null clears a field. */
export interface PropertyDetails {
  /** The name of the society or building. */
  society_building?: string | null
  /** The number in the land register. */
  survey_number?: string | null
  /** The road. */
  road_name?: string | null
  /** The locality within the city. */
  locality?: string | null
  /** A landmark nearby. */
  landmark?: string | null
  /** Counts only if the PIN code is unknown. */
  district?: string | null
  /** Counts only if the PIN code is unknown. */
  city?: string | null
  /** Counts only if the PIN code is unknown. */
  state?: string | null
  /** India by default. */
  country?: string | null
  /** The landlord's own name for the property. */
  alias_name?: string | null
  /** What all units share: at most 100 texts. */
  common_amenities?: string[] | null
}

/** A property to create. */
export interface NewProperty extends PropertyDetails {
  /** Six digits; city, district and state come from it. */
  pin_code: number
  /** The kind of property. */
  property_type: PropertyType
  /** At most 100 units to create with it. */
  property_units?: NewUnit[] | null
}

/** The fields of a property to change. */
export interface PropertyChange extends PropertyDetails {
  /** Six digits; city, district and state come from it. */
  pin_code?: number
  /** The kind of property. */
  property_type?: PropertyType
}

/** Where a building is. */
export interface Building {
  /** The building's UUID. */
  property_id: string
  /** The name of the society or building. */
  society_building: string | null
  /** The number in the land register. */
  survey_number: string | null
  /** The road. */
  road_name: string | null
  /** The locality within the city. */
  locality: string | null
  /** A landmark nearby. */
  landmark: string | null
  /** Six digits. */
  pin_code: number
  /** The district, from the PIN code. */
  district: string
  /** The city, from the PIN code. */
  city: string
  /** The state, from the PIN code. */
  state: string
  /** The country. */
  country: string
  /** The kind of property. */
  property_type: PropertyType
}

/** A building, society or plot. */
export interface Property extends Building {
  /** The property's number. */
  id: number
  /** The creator's own name for it; the default name for other landlords. */
  alias_name: string
  /** What all units share. */
  common_amenities: string[] | null
  /** Whether an administrator has approved it. */
  property_approved: boolean
  /** An ISO 8601 timestamp. */
  property_approved_at: string | null
  /** Who approved it. */
  property_approved_by: number | null
  /** The creator's number; null for other landlords. */
  landlord_id: number | null
  /** False once it is deleted. */
  is_active: boolean
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp. */
  updated_at: string
}

/** A property with its units. */
export interface PropertyWithUnits extends Property {
  /** The units that the user may see. */
  property_units: Unit[]
}

/** Which properties to list. */
export interface PropertyQuery extends PageQuery<
  'id' | 'alias_name' | 'city' | 'pin_code' | 'created_at' | 'updated_at'
> {
  /** Text of 1 to 100 characters to look for. */
  q?: string | undefined
  /** Only this kind. */
  property_type?: PropertyType | undefined
  /** Only this PIN code. */
  pin_code?: number | undefined
}

/** A building to look for. */
export interface PropertySearch {
  /** The name of a society or building, 1 to 255 characters; it may be misspelt. */
  name: string
  /** Six digits. */
  pin_code: number
  /** The locality within the city. */
  locality?: string | undefined
}

/** A building that matches a search. It reveals no owner. */
export interface PropertyCandidate extends Building {
  /** How well the name matches, from 0 to 1. */
  score: number
}
