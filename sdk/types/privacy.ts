/** All stored data about one user. Secrets are omitted, so an export cannot be used to sign in. */
export interface PersonalData {
  /** An ISO 8601 timestamp. */
  exported_at: string
  /** The user's rows of each table, by its name. */
  tables: Record<string, Record<string, unknown>[]>
}
