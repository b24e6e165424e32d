/** The path of a table. */
declare module '*.tsv' {
  const path: string
  export default path
}
