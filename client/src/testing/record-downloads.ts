import { vi } from 'vitest'

/** The names of the files that are saved from now on. */
export function recordDownloads(): string[] {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:file'
  return saved
}
