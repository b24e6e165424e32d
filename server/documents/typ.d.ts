/** The text of a template. */
declare module '*.typ' {
  const text: string
  export default text
}
