/** The path of a font file. */
declare module '*.ttf' {
  const path: string
  export default path
}
