/** Files that are imported by their paths, or as text. */
declare module 'swagger-ui-dist/*' {
  const path: string
  export default path
}
declare module '*.md' {
  const text: string
  export default text
}
