import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const compressible = /\.(?:js|mjs|css|svg|json)$/
/** Smaller files fit into a packet as they are. */
const minBytes = 1024

/** Compresses each file that shrinks as hard as can be, so that the server need not do it for each reader. */
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
