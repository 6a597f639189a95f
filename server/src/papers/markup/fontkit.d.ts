declare module 'fontkit' {
  export interface FontkitFont {
    hasGlyphForCodePoint(codePoint: number): boolean
    createSubset(): FontkitSubset
  }
  export interface FontkitSubset {
    encode(): Uint8Array
  }
  export function create(bytes: Uint8Array): FontkitFont
}
