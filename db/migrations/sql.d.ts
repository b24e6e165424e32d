/** The statements of a file. */
declare module '*.sql' {
  const text: string
  export default text
}
