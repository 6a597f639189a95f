/** `points` is the page's size, `pixels` the picture's. */
interface PicturePage {
  jpeg: Uint8Array
  pixels: { width: number; height: number }
  points: { width: number; height: number }
}

/** Without metadata (ISO 32000-1, 7.5). */
export function picturesToPdf(pages: readonly PicturePage[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const write = (...bytes: (string | Uint8Array)[]) => {
    for (const one of bytes) {
      const part = typeof one === 'string' ? Buffer.from(one, 'latin1') : one
      parts.push(part)
      length += part.length
    }
  }
  const object = (number: number, ...body: (string | Uint8Array)[]) => {
    offsets[number] = length
    write(`${number} 0 obj\n`, ...body, '\nendobj\n')
  }
  const stream = (entries: string, content: Uint8Array): (string | Uint8Array)[] => [
    `<< ${entries} /Length ${content.length} >>\nstream\n`,
    content,
    '\nendstream',
  ]
  // After the catalog and the tree: page, content and picture of each.
  const numberOf = (page: number) => 3 + 3 * page
  object(1, '<< /Type /Catalog /Pages 2 0 R >>')
  object(2, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${numberOf(i)} 0 R`).join(' ')}] >>`)
  pages.forEach(({ jpeg, pixels, points }, i) => {
    const first = numberOf(i)
    const size = `${points.width} ${points.height}`
    object(
      first,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size}] /Contents ${first + 1} 0 R`,
      ` /Resources << /XObject << /Picture ${first + 2} 0 R >> >> >>`,
    )
    object(first + 1, ...stream('', Buffer.from(`${points.width} 0 0 ${points.height} 0 0 cm /Picture Do`)))
    const picture = `/Type /XObject /Subtype /Image /Width ${pixels.width} /Height ${pixels.height}`
    const coding = '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode'
    object(first + 2, ...stream(`${picture} ${coding}`, jpeg))
  })
  const table = length
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`, ...rows)
  write(`trailer\n<< /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`)
  return Buffer.concat(parts)
}
