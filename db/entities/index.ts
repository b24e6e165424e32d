import * as tables from './tables'

export * from './tables'

/** The files of the tables export entities alone. */
export const entities = Object.values(tables)
