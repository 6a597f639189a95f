import { AppError } from '../../lib/http/app-error.ts'

/** How many bytes are looked at to detect the encoding. */
const SAMPLE_BYTES = 4096

interface DecodedText {
  text: string
  /** For the uploader, where characters had to be guessed. */
  note: string | null
}

/**
 * A text file's bytes as text: UTF-8, UTF-16 as Excel's “Unicode text” has it, else Western European, which can decode any byte.
 * @throws {AppError} `files_refused` for a file that is not text, such as a workbook renamed to .csv
 */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = detectUtf16(bytes)
  if (utf16) return { text: stripBom(new TextDecoder(utf16).decode(bytes)), note: null }
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) throw notTextError()
  try {
    return { text: stripBom(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), note: null }
  } catch {
    // Control characters other than tabs and line ends do not occur in text.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being looked for
    if (/[\u0001-\u0008\u000e-\u001f]/.test(bytes.subarray(0, SAMPLE_BYTES).toString('latin1'))) throw notTextError()
    return {
      text: new TextDecoder('windows-1252').decode(bytes),
      note: 'The file is not UTF-8, so it was read as Western European text. Check names with accents.',
    }
  }
}

function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // Without a byte order mark: e-mail addresses are ASCII, so every other byte is zero.
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let [even, odd] = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) i % 2 === 0 ? even++ : odd++
  const most = sample.length * 0.3
  if (odd > most && even < odd / 10) return 'utf-16le'
  return even > most && odd < even / 10 ? 'utf-16be' : null
}

const stripBom = (text: string) => text.replace(/^\ufeff/, '')

function notTextError(): AppError {
  return new AppError(
    'files_refused',
    'This is not a CSV file. In your spreadsheet choose “Save as”, then CSV, and upload that file.',
  )
}
