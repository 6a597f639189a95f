import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from './store.ts'

/** Kept for what is written next: giving back every page would have the file grow again at once. */
const KEPT_PAGES = 1000
const KEPT_SHARE = 0.1
/** A file this small is rewritten at once, whatever it holds. */
const SMALL_BYTES = 32 * 1024 * 1024
const REWRITTEN_SHARE = 0.25
const INCREMENTAL = 2

function pragma(store: Store, name: string): number {
  return Number(Object.values(store.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
}

/** Pages that the file could do without. */
export function sparePages(store: Store): number {
  if (pragma(store, 'auto_vacuum') !== INCREMENTAL) return 0
  const kept = Math.max(KEPT_PAGES, Math.floor(pragma(store, 'page_count') * KEPT_SHARE))
  return Math.max(0, pragma(store, 'freelist_count') - kept)
}

/** Moves pages from the file's end into free ones, so that the next checkpoint can cut the file. */
export function releasePages(store: Store, count: number): void {
  // SQLite takes none for all.
  if (count < 1) return
  store.db.exec(`PRAGMA incremental_vacuum(${Math.trunc(count)})`)
}

/**
 * A file from before `auto_vacuum` can give back pages only once it has been rewritten. Done at a start, when the file is small or a
 * quarter of it is free, and the disk has room for two copies: a temporary one, and one in the log. Only while there are no checksums of
 * its pages yet (see `Checkpointer`); closing the connection moves the log.
 */
export function makeShrinkable(store: Store): void {
  if (pragma(store, 'auto_vacuum') === INCREMENTAL) return
  const pageSize = pragma(store, 'page_size')
  const bytes = pragma(store, 'page_count') * pageSize
  const free = pragma(store, 'freelist_count') * pageSize
  if (bytes > SMALL_BYTES && free < bytes * REWRITTEN_SHARE) return
  const { bavail, bsize } = statfsSync(dirname(store.file))
  if (bavail * bsize < 3 * (bytes - free)) return
  store.db.exec('PRAGMA auto_vacuum=INCREMENTAL; VACUUM')
}
