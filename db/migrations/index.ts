import { Foundation } from './0001-foundation'

/** In the order in which they are applied; a name that was released never changes. */
export const migrations = [{ name: '0001-foundation', class: Foundation }]
