import { sql } from 'kysely'

/** The place to which an encrypted PAN belongs: the column, and the user by their UUID. */
export const toPanPlace = (userId: string) => `users.pan:${userId}`

export const toLastFour = (pan: string) => pan.slice(-4)

/** A user's PAN as answers show it, such as ••••••234F; null without one. The users are `u`. */
export const maskedPan = sql<string | null>`'••••••' || u.pan_last_four`
