import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { drawEssay } from './draw-essay.ts'
import { helvetica, onePage, rawPdf, stream } from './raw-pdf.ts'
import { toBuffer } from './sheet.ts'

/** An error with this code, pages, or (`any`) either. */
type ExpectedOutcome = 'not_pdf' | 'encrypted' | 'damaged' | 'empty' | 'too_many_pages' | 'paper' | 'any'

interface HostileFile {
  name: string
  outcome: ExpectedOutcome
  create(): Buffer | Promise<Buffer>
}

export const hostileFiles: readonly HostileFile[] = [
  file('empty', 'empty', () => Buffer.alloc(0)),
  file('one-byte', 'not_pdf', () => Buffer.from('%')),
  file('header-only', 'damaged', () => Buffer.from('%PDF-1.7\n')),
  file('header-and-noise', 'damaged', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(200_000)])),
  file('word-document', 'not_pdf', () => zipLike('word/document.xml')),
  file('picture', 'not_pdf', () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(5000)])),
  file('web-page', 'not_pdf', () => Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in again.</p>')),
  file('text', 'not_pdf', () => Buffer.from('My essay about %PDFs\n'.repeat(50))),
  file('half', 'any', async () => half(await drawEssay(4))),
  file('without-end', 'any', async () => (await drawEssay(2)).subarray(0, -600)),
  file('zeroed-middle', 'any', async () => zeroedMiddle(await drawEssay(3))),
  file('scrambled', 'any', async () => scrambled(await drawEssay(3))),
  file('late-header', 'paper', () => Buffer.concat([Buffer.alloc(600, 32), onePage()])),
  file('locked', 'encrypted', () => locked({ userPassword: 'secret', ownerPassword: 'secret' })),
  file('locked-for-changes', 'paper', () => locked({ ownerPassword: 'secret' })),
  file('thousand-pages', 'too_many_pages', () => manyPages(1000, 1000)),
  file('claims-a-million-pages', 'any', () => manyPages(1, 1_000_000)),
  file('no-pages', 'any', () => rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'])),
  file('no-page-tree', 'any', () => rawPdf(['<< /Type /Catalog >>'])),
  file('page-tree-loop', 'any', () =>
    rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
  ),
  file('page-tree-ring', 'any', () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>',
    ]),
  ),
  file('object-loop', 'any', () => rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '3 0 R', '2 0 R'])),
  file('length-is-itself', 'any', () =>
    onePage({ page: '/Contents 5 0 R', more: ['<< /Length 5 0 R >>\nstream\nBT ET\nendstream'] }),
  ),
  file('negative-length', 'any', () =>
    onePage({ page: '/Contents 5 0 R', more: ['<< /Length -7 >>\nstream\nBT ET\nendstream'] }),
  ),
  file('garbage-xref', 'any', () =>
    Buffer.from(
      onePage()
        .toString('latin1')
        .replace(/\d{10} 00000 n/g, '9999999999 00000 n'),
      'latin1',
    ),
  ),
  file('xref-loop', 'any', () =>
    Buffer.from(onePage().toString('latin1').replace('/Size 5', '/Size 5 /Prev 9'), 'latin1'),
  ),
  file('startxref-nowhere', 'any', () =>
    Buffer.from(
      onePage()
        .toString('latin1')
        .replace(/startxref\n\d+/, 'startxref\n99999999'),
      'latin1',
    ),
  ),
  file('flate-bomb', 'any', () => onePage({ filter: '/Filter /FlateDecode', content: deflatedZeros(1024) })),
  file('double-flate-bomb', 'any', () =>
    onePage({ filter: '/Filter [/FlateDecode /FlateDecode]', content: deflateSync(deflatedZeros(1024)) }),
  ),
  file('text-bomb', 'any', () =>
    onePage({
      filter: '/Filter /FlateDecode',
      content: deflateSync(Buffer.from(`BT /F1 9 Tf ${'(aaaaaaaa) Tj '.repeat(8_000_000)}ET`)),
    }),
  ),
  file('operator-bomb', 'any', () =>
    onePage({
      filter: '/Filter /FlateDecode',
      content: deflateSync(Buffer.from('q 1 0 0 1 0 0 cm '.repeat(8_000_000))),
    }),
  ),
  file('run-length-bomb', 'any', () =>
    onePage({
      filter: '/Filter [/RunLengthDecode /RunLengthDecode /RunLengthDecode]',
      content: Buffer.alloc(4_000_000, 0x81),
    }),
  ),
  file('lzw-noise', 'any', () => onePage({ filter: '/Filter /LZWDecode', content: noise(500_000) })),
  file('repeated-content', 'any', () =>
    onePage({
      page: `/Contents [${'4 0 R '.repeat(50_000)}]`,
      content: `BT /F1 9 Tf ${'(again and again) Tj '.repeat(5000)}ET`,
    }),
  ),
  file('picture-bomb', 'any', () => picture('/Width 30000 /Height 30000 /Filter /FlateDecode', deflatedZeros(860))),
  file('picture-lies', 'any', () =>
    picture('/Width 2000000 /Height 2000000 /Filter /FlateDecode', deflateSync(Buffer.alloc(1000))),
  ),
  file('jpeg-lies', 'any', () => picture('/Width 65500 /Height 65500 /Filter /DCTDecode', jpegHeader(65_500, 65_500))),
  file('jbig2-noise', 'any', () =>
    picture('/Width 4000 /Height 4000 /BitsPerComponent 1 /Filter /JBIG2Decode', noise(100_000)),
  ),
  file('jpx-noise', 'any', () => picture('/Width 4000 /Height 4000 /Filter /JPXDecode', noise(100_000))),
  file('huge-page', 'any', () => onePage({ mediaBox: '[0 0 1000000000 1000000000]' })),
  file('huge-empty-page', 'any', () => onePage({ mediaBox: '[0 0 1000000000 1000000000]', content: '' })),
  file('thread-like-page', 'any', () => onePage({ mediaBox: '[0 0 1 14400000]', content: '' })),
  file('flat-page', 'any', () => onePage({ mediaBox: '[0 0 0 0]' })),
  file('nonsense-page', 'any', () => onePage({ mediaBox: '[(a) /b null -1]' })),
  file('deep-arrays', 'any', () => onePage({ page: `/Deep ${'['.repeat(200_000)}${']'.repeat(200_000)}` })),
  file('deep-arrays-in-content', 'any', () => onePage({ content: `${'['.repeat(500_000)} TJ` })),
  file('deep-dictionaries', 'any', () =>
    onePage({ page: `/Deep ${'<< /A '.repeat(100_000)} 1 ${'>> '.repeat(100_000)}` }),
  ),
  file('endless-string', 'any', () => onePage({ content: `BT /F1 9 Tf (${'('.repeat(3_000_000)}` })),
  file('saved-states', 'any', () => onePage({ content: 'q '.repeat(2_000_000) })),
  file('form-draws-itself', 'any', () =>
    onePage({
      content: '/X Do',
      resources: '<< /XObject << /X 5 0 R >> >>',
      more: [
        stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>', '/X Do /X Do'),
      ],
    }),
  ),
  file('forms-doubling', 'any', () => doublingForms(28)),
  file('letter-draws-itself', 'any', () =>
    onePage({
      resources: '<< /Font << /F1 5 0 R >> >>',
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 72 /LastChar 72 /Widths [1] /Encoding << /Differences [72 /H] >> /CharProcs << /H 6 0 R >> /Resources << /Font << /F1 5 0 R >> >> >>',
        stream('', '1 0 d0 BT /F1 1 Tf (H) Tj ET'),
      ],
    }),
  ),
  file('huge-font', 'any', () =>
    fontOf('TrueType', `/FontFile2 7 0 R`, [stream('/Length1 6000000', noise(6_000_000))]),
  ),
  file('cmap-bomb', 'any', () => fontOf('TrueType', '', [], stream('', cmap(3000)))),
  file('million-notes', 'any', () =>
    onePage({
      page: `/Annots [${'5 0 R '.repeat(300_000)}]`,
      more: ['<< /Type /Annot /Subtype /FreeText /Rect [9 9 99 99] /Contents (Hi) /DA (/F1 9 Tf) >>'],
    }),
  ),
  file('field-parent-loop', 'any', () =>
    onePage({
      page: '/Annots [5 0 R]',
      catalogue: '/AcroForm << /Fields [5 0 R] >>',
      more: [
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (b) /Rect [9 9 99 99] /Parent 6 0 R >>',
        '<< /Parent 5 0 R /Kids [5 0 R] >>',
      ],
    }),
  ),
  file('javascript', 'paper', () =>
    onePage({ catalogue: '/OpenAction << /S /JavaScript /JS (while\\(true\\){app.alert\\("pay"\\)}) >>' }),
  ),
  file('launches-a-program', 'paper', () => onePage({ catalogue: '/OpenAction << /S /Launch /F (calc.exe) >>' })),
  file('asks-the-network', 'paper', () =>
    onePage({
      content: '/X Do',
      resources: '<< /XObject << /X 5 0 R >> >>',
      more: [stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /F << /FS /URL /F (http://127.0.0.1:9/x) >>', '')],
    }),
  ),
  file('mesh-bomb', 'any', () =>
    onePage({
      content: '/S sh',
      resources: '<< /Shading << /S 5 0 R >> >>',
      more: [
        stream(
          '/ShadingType 4 /ColorSpace /DeviceGray /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 595 0 842 0 1] /Filter /FlateDecode',
          deflatedZeros(200),
        ),
      ],
    }),
  ),
  file('pattern-draws-itself', 'any', () =>
    onePage({
      content: '/Pattern cs /P scn 0 0 595 842 re f',
      resources: '<< /Pattern << /P 5 0 R >> >>',
      more: [
        stream(
          '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << /Pattern << /P 5 0 R >> >>',
          '/Pattern cs /P scn 0 0 1 1 re f',
        ),
      ],
    }),
  ),
]

function file(name: string, outcome: ExpectedOutcome, make: HostileFile['create']): HostileFile {
  return { name, outcome, create: make }
}

function noise(length: number): Buffer {
  const random = seededRandom(length)
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(random() * 256)))
}

/** One megabyte is compressed and repeated: compressing a gigabyte takes seconds. */
function deflatedZeros(megabytes: number): Buffer {
  const [header, lastBlock] = [Buffer.from([0x78, 0x9c]), deflateRawSync(Buffer.alloc(0))]
  // Fully flushed, so that what follows may begin anywhere.
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array.from({ length: megabytes }, () => block)
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros: their number modulo the largest prime below 2^16, and 1.
  checksum.writeUInt16BE((megabytes * 2 ** 20) % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([header, ...blocks, lastBlock, checksum])
}

const half = (pdf: Buffer): Buffer => pdf.subarray(0, pdf.length / 2)

function zeroedMiddle(pdf: Buffer): Buffer {
  return Buffer.from(pdf).fill(0, Math.floor(pdf.length * 0.3), Math.floor(pdf.length * 0.7))
}

function scrambled(pdf: Buffer): Buffer {
  const random = seededRandom(3)
  const copy = Buffer.from(pdf)
  for (let count = 0; count < 400; count += 1) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256)
  return copy.fill('%PDF-1.7\n', 0, 9)
}

function zipLike(name: string): Buffer {
  return Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    Buffer.from(name),
    deflateRawSync(Buffer.from('<w:document/>'.repeat(99))),
  ])
}

function locked(passwords: { userPassword?: string; ownerPassword: string }): Promise<Buffer> {
  const doc = new PDFDocument({ ...passwords, pdfVersion: '1.7', permissions: { printing: 'highResolution' } })
  doc.text('Answers nobody but me may see.')
  return toBuffer(doc)
}

function manyPages(kids: number, count: number): Buffer {
  const references = Array.from({ length: kids }, (_, index) => `${index + 3} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'
  const pages = Array.from({ length: kids }, () => page)
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${references}] /Count ${count} >>`,
    ...pages,
  ])
}

function picture(dictionary: string, data: Buffer): Buffer {
  const bits = dictionary.includes('/BitsPerComponent') ? '' : '/BitsPerComponent 8'
  return onePage({
    content: 'q 595 0 0 842 0 0 cm /I Do Q',
    resources: '<< /XObject << /I 5 0 R >> >>',
    more: [stream(`/Type /XObject /Subtype /Image /ColorSpace /DeviceGray ${bits} ${dictionary}`, data)],
  })
}

function jpegHeader(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xd9])
  frame.writeUInt16BE(height, 7)
  frame.writeUInt16BE(width, 9)
  return frame
}

function doublingForms(depth: number): Buffer {
  const forms = Array.from({ length: depth }, (_, index) => {
    const last = index === depth - 1
    const resources = last ? helvetica : `<< /XObject << /X ${index + 6} 0 R >> >>`
    const content = last ? 'BT /F1 9 Tf (again) Tj ET' : '/X Do /X Do'
    return stream(`/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${resources}`, content)
  })
  return onePage({ content: '/X Do', resources: '<< /XObject << /X 5 0 R >> >>', more: forms })
}

function fontOf(subtype: string, file: string, more: Buffer[], toUnicode?: Buffer): Buffer {
  const objects = [
    `<< /Type /Font /Subtype /${subtype} /BaseFont /Made /FontDescriptor 6 0 R ${toUnicode ? '/ToUnicode 7 0 R' : ''} >>`,
    `<< /Type /FontDescriptor /FontName /Made /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 ${file} >>`,
    ...(toUnicode ? [toUnicode] : more),
  ]
  return onePage({ resources: '<< /Font << /F1 5 0 R >> >>', more: objects })
}

function cmap(times: number): string {
  const range = '1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0041> endbfrange\n'
  return `/CIDInit /ProcSet findresource begin begincmap\n${range.repeat(times)}endcmap end`
}
