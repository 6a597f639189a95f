import { inflateSync } from 'node:zlib'

/** A cheap scan of a PDF's bytes: true may be wrong, false is certain. */
export interface StreamScan {
  annotations: boolean
  suspectText: boolean
  paintingAnnotations: boolean
  /** Clips, layers, masks, Type 3 fonts: only rendering shows what is visible. */
  hidingFeatures: boolean
  /** Fonts with a ToUnicode map, which need not match the glyph shapes. */
  toUnicodeMaps: boolean
  /** A ToUnicode map that gives several glyphs the same letter, or one glyph a whole word. */
  suspectToUnicodeMaps: boolean
  /** Images large enough to contain writing. */
  images: boolean
}

const allSuspect: StreamScan = {
  annotations: true,
  suspectText: true,
  paintingAnnotations: true,
  hidingFeatures: true,
  images: true,
  toUnicodeMaps: true,
  suspectToUnicodeMaps: false,
}
/** Larger than any honest page's content stream; above it the thorough check decides. */
const maxInflatedBytes = 8 * 2 ** 20

/** Finds PDFs that need a slower second pass; costs a thirtieth of reading their text (docs/papers.md). */
export function scanStreams(bytes: Buffer): StreamScan {
  if (bytes.includes('/Encrypt')) return allSuspect
  const found: StreamScan = {
    annotations: false,
    suspectText: false,
    paintingAnnotations: false,
    hidingFeatures: false,
    images: false,
    toUnicodeMaps: false,
    suspectToUnicodeMaps: false,
  }
  let textInForms = false
  let whiteForms = false
  const maps = new Set<string>()
  const skipped = new Set<string>()
  for (const { header, data, before, trusted } of streams(bytes)) {
    if (!trusted || escapedLetter.test(before)) return allSuspect
    // Older PDFs have their objects outside of streams.
    scanObjects(before, found, maps)
    const kind = kindOf(header)
    if (kind === 'picture') found.images ||= isLargeImage(header)
    if (kind === 'picture' || kind === 'other') {
      skipped.add(objectNumber(before))
      continue
    }
    const content = inflateStream(header, data)
    if (content === null) {
      found.suspectText = true
      found.annotations = true
      found.hidingFeatures = true
    } else if (kind === 'objects') {
      if (escapedLetter.test(content)) return allSuspect
      scanObjects(content, found, maps)
    } else if (isFontProgram(content)) skipped.add(objectNumber(before))
    else if (content.includes('beginbf')) found.suspectToUnicodeMaps ||= isSuspectToUnicodeMap(content)
    else if (!found.suspectText || !found.hidingFeatures) {
      const form = /\/Subtype\s*\/Form/.test(header)
      const text = scanTextColours(content)
      found.suspectText ||= text.odd
      found.hidingFeatures ||= hasClips(content)
      whiteForms ||= text.whiteForms
      textInForms ||= text.shows && form
    }
  }
  const rest = bytes.toString('latin1', Math.max(0, bytes.lastIndexOf('endstream')))
  if (escapedLetter.test(rest)) return allSuspect
  scanObjects(rest, found, maps)
  // A map may call itself a font or a picture, to be skipped.
  found.suspectToUnicodeMaps ||= [...maps].some((map) => skipped.has(map))
  found.suspectText ||= whiteForms && textInForms
  return found
}

interface RawStream {
  header: string
  data: Buffer
  before: string
  /** Whether a PDF parser surely sees the same stream: words in a string or comment may look like one. */
  trusted: boolean
}

function* streams(bytes: Buffer): Generator<RawStream> {
  let end = 0
  for (;;) {
    const at = bytes.indexOf('stream', end)
    if (at < 0) return
    let start = at + 6
    if (bytes[start] === 13) start += 1
    if (bytes[start] === 10) start += 1
    // A dictionary is short, but the text between two streams can be long; all of it is scanned.
    const before = bytes.toString('latin1', end, at)
    const header = before.slice(before.lastIndexOf(' obj') + 1)
    const length = directLength(header)
    const close = bytes.indexOf('endstream', start + (length ?? 0))
    const stop = close < 0 ? bytes.length : close
    const trusted = start > at + 6 && isPlainDictionary(header) && hasLength(stop - start, length, header)
    yield { header, data: bytes.subarray(start, stop), before, trusted }
    if (close < 0) return
    end = close + 9
  }
}

/** Null when another object holds it. */
function directLength(header: string): number | null {
  const found = /\/Length\s+(\d+)(?!\d|\s+\d+\s+R)/.exec(header)
  return found ? Number(found[1]) : null
}

/** No strings or comments, one length, and no type in another object. */
const isPlainDictionary = (header: string): boolean =>
  />>\s*$/.test(header) &&
  header.split(/\/Length\b/).length === 2 &&
  !/[%()]|\/(?:Type|Subtype|Filter)\s+\d/.test(header)

/** Whether a stream ends where its dictionary says, but for a line end. */
const hasLength = (bytes: number, length: number | null, header: string): boolean =>
  length === null
    ? !/\/Type\s*\/ObjStm\b/.test(header) || /\/Filter\b/.test(header)
    : bytes - length >= 0 && bytes - length <= maxLineEnd

const maxLineEnd = 4

/** Of the object that ends in a stream, from the text before it. */
const objectNumber = (before: string): string =>
  /(\d+)\s+\d+\s*$/.exec(before.slice(0, before.lastIndexOf(' obj')))?.[1] ?? ''

function kindOf(header: string): 'picture' | 'objects' | 'content' | 'other' {
  if (/\/Subtype\s*\/Image\b/.test(header)) return 'picture'
  if (/\/Type\s*\/ObjStm\b/.test(header)) return 'objects'
  const fontOrTable =
    /\/Length[123]\b|\/Subtype\s*\/(?:Type1C|CIDFontType0C|OpenType|XML)\b|\/Type\s*\/(?:XRef|Metadata)\b|\/FunctionType\b/
  return fontOrTable.test(header) ? 'other' : 'content'
}

/** Some producers do not declare font programs. A stream with text operators is none. */
const isFontProgram = (content: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: fonts start with these bytes
  /^(?:true|OTTO|\0\x01\0\0|\x01\0)/.test(content) && !/[\s)\]>]T[jJ]\s/.test(content)

function isLargeImage(header: string): boolean {
  const width = Number(/\/Width\s+(\d+)/.exec(header)?.[1] ?? 1e6)
  const height = Number(/\/Height\s+(\d+)/.exec(header)?.[1] ?? 1e6)
  return width >= 200 && height >= 60
}

/** Null when only a full PDF parser can decode it. */
function inflateStream(header: string, data: Buffer): string | null {
  if (!/\/Filter\b/.test(header)) return data.toString('latin1', 0, maxInflatedBytes)
  const filters = [...header.matchAll(/\/(\w+Decode|Fl|Crypt|AHx|A85|LZW|RL)\b/g)].map(([, name]) => name)
  if (filters.length !== 1 || (filters[0] !== 'FlateDecode' && filters[0] !== 'Fl')) return null
  if (/\/Predictor\s+(?!1\b)\d/.test(header)) return null
  try {
    return inflateSync(data, { maxOutputLength: maxInflatedBytes }).toString('latin1')
  } catch {
    return null
  }
}

/** `maps` collects the numbers of ToUnicode maps. */
function scanObjects(text: string, found: StreamScan, maps: Set<string>): void {
  if (!found.annotations) found.annotations = annotationPattern.test(text)
  if (!found.suspectText) found.suspectText = faintPattern.test(text)
  found.paintingAnnotations ||= paintingAnnotationPattern.test(text)
  found.hidingFeatures ||= hidingFeaturePattern.test(text)
  if (text.includes('/ToUnicode')) {
    found.toUnicodeMaps = true
    for (const [, map] of text.matchAll(/\/ToUnicode\s+(\d+)/g)) maps.add(map ?? '')
  }
  if (!found.images && /\/Subtype\s*\/Image\b/.test(text) && text.includes('/Length')) found.images = true
}

const faintPattern = /\/ca\s+0?\.?[0-2]?\d*\s*[/>]|\/(?:ca|CA)\s+\d+\s+\d+\s+R\b/

/** Links do not count. */
const annotationPattern =
  /\/Subtype\s*\/(?:Widget|FreeText|Text|Caret|Circle|Square|Ink|Line|PolyLine|Polygon|Highlight|Underline|StrikeOut|Squiggly|Stamp)\b/

/** Those with an appearance, and kinds that viewers draw without one. */
const paintingAnnotationPattern =
  /\/AP\s*(?:<<|\d)|\/Subtype\s*\/(?:FreeText|Circle|Square|Ink|Line|PolyLine|Polygon|Highlight|Underline|StrikeOut|Squiggly|Stamp)\b/

/** A letter of a name as its code (“/#53ubtype”) hides the name from this scan; no honest program writes it. */
const escapedLetter = /\/[^\s()<>[\]{}/%]*#(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i

const hidingFeaturePattern =
  /\/OCProperties\b|\/S\s*\/(?:Luminosity|Alpha)\b|\/BM\s*\/(?!Normal|Compatible|Multiply)\w|\/Subtype\s*\/Type3\b/

// Colour operators with their numbers; text render modes; saved states; text shown, forms drawn.
const operators =
  /(?<=^|[\s\])>])(?:((?:[-+]?[\d.]+\s+){1,4})(g|rg|k|scn?)|([0-7])\s+Tr|(q|Q)|(Do|Tj|TJ|'|"))(?=[\s[(</]|$)/g

interface TextColours {
  odd: boolean
  shows: boolean
  whiteForms: boolean
}

/** As far as needed to detect white text. */
function scanTextColours(content: string): TextColours {
  const result: TextColours = { odd: false, shows: false, whiteForms: false }
  let white = false
  let unseen = false
  const saved: boolean[] = []
  for (const [, numbers, colour, mode, state, shown] of content.matchAll(operators)) {
    if (numbers !== undefined && colour !== undefined) white = isWhite(numbers, colour)
    // Outlined letters have the colour of strokes, which is not tracked here.
    else if (mode !== undefined) unseen = mode !== '0'
    else if (state === 'q') saved.push(white, unseen)
    else if (state === 'Q') {
      unseen = saved.pop() ?? false
      white = saved.pop() ?? false
    } else if (shown === 'Do') result.whiteForms ||= white || unseen
    else if (shown !== undefined) {
      result.shows = true
      if (white || unseen) return { ...result, odd: true }
    }
  }
  // A page's content may be split into several streams, and the next one continues with this colour.
  result.odd = white || unseen
  return result
}

/** Near white in any of the usual colour spaces, including a faint tint of a spot colour. */
function isWhite(numbers: string, operator: string): boolean {
  const values = numbers.trim().split(/\s+/).map(Number)
  const [first = 0] = values
  if (values.length === 4) return values.every((value) => value < 0.15)
  if (operator.startsWith('sc') && (values.length === 1 ? first < 0.1 : first > 1.1)) return first < 0.1 || first > 85
  return values.every((value) => value > 0.85)
}

// Rectangles; clipping; painting or ending a path; pattern colours; other parts of paths.
const clipOperators =
  /(?<=^|[\s\])>])(?:([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+re|(W\*?)|([fFBb]\*?|n|S|s)|(\/\S+\s+scn?)|([lcvy]))(?=[\s[(</]|$)/g

/** Most pages have only text and fail this quick test. */
const anyClip = /(?:^|[\s\])>])(?:W\*?|scn?)(?=[\s[(</]|$)/

/** In points. */
const minPageSide = 400

/** Whether clips smaller than a page or pattern colours could hide text; true may be wrong. */
function hasClips(content: string): boolean {
  if (!anyClip.test(content)) return false
  let clip = false
  let bigClip = true
  for (const match of content.matchAll(clipOperators)) {
    const [, x, y, width, height, clips, ends, pattern, other] = match
    if (width !== undefined && height !== undefined) {
      const [w, h] = [Math.abs(Number(width)), Math.abs(Number(height))]
      bigClip &&= w >= minPageSide && h >= minPageSide && Number(x) < 100 && Math.abs(Number(y)) < h
    } else if (other !== undefined) bigClip = false
    else if (pattern !== undefined) return true
    else if (clips !== undefined) clip = true
    else if (ends !== undefined) {
      if (clip && !bigClip) return true
      clip = false
      bigClip = true
    }
  }
  return false
}

/** This many letters with several glyphs are suspect: more than alternate forms explain. */
const minSharedMeanings = 3
/** UTF-16 units of the longest ligature (“ffi”), plus one. */
const maxLigatureLength = 4

const hex = String.raw`<\s*([0-9a-f\s]+)>`
const single = new RegExp(String.raw`${hex}\s*${hex}`, 'gi')
const range = new RegExp(String.raw`${hex}\s*${hex}\s*(?:${hex}|\[([^\]]*)\])`, 'gi')

/** Three letters or digits have two glyphs each, or one glyph stands for a word. */
function isSuspectToUnicodeMap(map: string): boolean {
  const shapes = new Map<string, number>()
  for (const meaning of mappedTexts(map)) {
    if (meaning.length > maxLigatureLength) return true
    if (/^[a-z0-9]$/i.test(meaning)) shapes.set(meaning, (shapes.get(meaning) ?? 0) + 1)
  }
  return [...shapes.values()].filter((count) => count > 1).length >= minSharedMeanings
}

function* mappedTexts(map: string): Generator<string> {
  for (const [, kind, body = ''] of map.matchAll(/beginbf(char|range)([\s\S]*?)endbf/g)) {
    if (kind === 'char') for (const [, , meaning = ''] of body.matchAll(single)) yield decodeUtf16Hex(meaning)
    else
      for (const [, from = '', to = '', meaning, list] of body.matchAll(range)) {
        if (list !== undefined) for (const [, one = ''] of list.matchAll(/<([^>]*)>/g)) yield decodeUtf16Hex(one)
        if (meaning === undefined) continue
        const text = decodeUtf16Hex(meaning)
        const count = Math.min(255, Number.parseInt(to, 16) - Number.parseInt(from, 16))
        for (let step = 0; step <= count; step += 1)
          yield text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + step)
      }
  }
}

function decodeUtf16Hex(digits: string): string {
  const units = digits.replace(/\s+/g, '').match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}
