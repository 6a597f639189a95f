import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const compressible = /\.(?:js|mjs|css|svg|json)$/
/** Smaller ones fit into a packet. */
const minBytes = 1024

/** At the highest level, so that the server need not compress for each reader. */
export function compressedFiles(): Plugin {
  return {
    name: 'assay-compressed-files',
    apply: 'build',
    async writeBundle({ dir }) {
      if (!dir) return
      const assets = join(dir, 'assets')
      const names = (await readdir(assets)).filter((name) => compressible.test(name))
      await Promise.all(
        names.map(async (name) => {
          const content = await readFile(join(assets, name))
          if (content.length < minBytes) return
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
          await writeFile(join(assets, `${name}.br`), await compress(content, { params }))
        }),
      )
    },
  }
}
