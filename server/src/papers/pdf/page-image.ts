export interface PageImage {
  width: number
  height: number
  /** 4 bytes per pixel (RGBA) or 1 (grey). */
  data: Uint8Array
}
