/** PDF coordinates: left, bottom, right, top. */
export type Rect = [number, number, number, number]

/** Pointers and handles are numbers. */
export interface PdfiumCalls {
  malloc(size: number): number
  free(pointer: number): void
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(textPage: number): void
  FPDFText_CountChars(textPage: number): number
  FPDFText_GetUnicode(textPage: number, index: number): number
  FPDFText_GetTextObject(textPage: number, index: number): number
  FPDFText_GetCharBox(textPage: number, index: number, left: number, right: number, bottom: number, top: number): number
  FPDFText_GetLooseCharBox(textPage: number, index: number, rect: number): number
  /** Radians, clockwise. */
  FPDFText_GetCharAngle(textPage: number, index: number): number
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFPageObj_SetIsActive(object: number, active: number): number
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPageObj_GetStrokeColor(object: number, r: number, g: number, b: number, a: number): number
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  FPDF_FFLDraw(
    form: number,
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_GetAnnot(page: number, index: number): number
  FPDFPage_CloseAnnot(annotation: number): void
  FPDFAnnot_GetObjectCount(annotation: number): number
  FPDFAnnot_GetObject(annotation: number, index: number): number
  FPDFAnnot_GetSubtype(annotation: number): number
  FPDFAnnot_GetRect(annotation: number, rect: number): number
  FPDFAnnot_GetFlags(annotation: number): number
  FPDFAnnot_SetFlags(annotation: number, flags: number): number
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  /** 0 where the picture cannot be opened. */
  FPDFImageObj_GetBitmap(object: number): number
  FPDFImageObj_GetImagePixelSize(object: number, width: number, height: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFFormObj_CountObjects(form: number): number
  FPDFFont_GetBaseFontName(font: number, buffer: number, length: number): number
  FPDFFont_GetWeight(font: number): number
  /** `size` gets the font program's bytes. */
  FPDFFont_GetFontData(font: number, buffer: number, length: number, size: number): number
  FPDFPath_CountSegments(path: number): number
  FPDFPath_GetPathSegment(path: number, index: number): number
  /** 0: a line, 1: a curve's point, 2: a new start. */
  FPDFPathSegment_GetType(segment: number): number
  FPDFPageObj_GetStrokeWidth(object: number, width: number): number
  FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
  FPDFPageObj_HasTransparency(object: number): number
  FPDFPageObj_CountMarks(object: number): number
  FPDFPageObj_GetMark(object: number, index: number): number
  FPDFPageObjMark_GetName(mark: number, buffer: number, size: number, length: number): number
  FPDFPageObj_GetClipPath(object: number): number
  FPDFClipPath_CountPaths(clip: number): number
  FPDFClipPath_CountPathSegments(clip: number, path: number): number
  FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  FPDF_CreateNewDocument(): number
  FPDF_CloseDocument(document: number): void
  FPDF_ImportPagesByIndex(to: number, from: number, indices: number, count: number, at: number): number
  FPDF_SaveAsCopy(document: number, fileWrite: number, flags: number): number
  FPDFPage_GetRotation(page: number): number
  FPDFPage_SetRotation(page: number, turns: number): void
}

export const textObject = 1
export const pathObject = 2
export const imageObject = 3
export const formObject = 5

export function transformRect([left, bottom, right, top]: Rect, matrix: Float32Array): Rect {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  )
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
