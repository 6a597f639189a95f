export function stream(dictionary: string, data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Objects are numbered from 1, the catalogue. Computes a correct cross-reference table. */
export function rawPdf(objects: readonly (string | Buffer)[], { before = '', trailer = '' } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(`${before}%PDF-1.7\n`, 'latin1')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.from(`${index + 1} 0 obj\n`))
    add(typeof object === 'string' ? Buffer.from(object, 'latin1') : object)
    add(Buffer.from('\nendobj\n'))
  }
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export const helvetica = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'

export interface RawPage {
  content?: string | Buffer
  filter?: string
  mediaBox?: string
  resources?: string
  page?: string
  catalogue?: string
  more?: (string | Buffer)[]
}

/** 1 catalogue, 2 pages, 3 page, 4 its content. */
export function onePage({ content = 'BT /F1 12 Tf 72 700 Td (Hello) Tj ET', ...rest }: RawPage = {}): Buffer {
  const { filter = '', mediaBox = '[0 0 595 842]', resources = helvetica, page = '', catalogue = '', more = [] } = rest
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Resources ${resources} /Contents 4 0 R ${page} >>`,
    stream(filter, content),
    ...more,
  ])
}
