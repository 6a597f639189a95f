/** Where the LMS stores what a launch endpoint gave it, as the handoff address says: a frame of its page, the origin that responds, the key. */
interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

/** An LMS that stores data for tools answers at once. */
const TIMEOUT_MS = 2000

/** Null for a launch identified by the browser's cookie. */
export function platformStorageFrom(search: string): PlatformStorage | null {
  const { frame, origin, key } = Object.fromEntries(new URLSearchParams(search))
  return frame && key && origin && URL.parse(origin)?.origin === origin ? { frame, origin, key } : null
}

/** The stored value; undefined when the LMS refuses, does not answer, or is not there. */
export async function readPlatformStorage(place: PlatformStorage): Promise<string | undefined> {
  const answer = await postStorageMessage(place, 'lti.get_data')
  const value = answer?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** No longer needed, and LMSs limit how much a tool may store. */
export function clearPlatformStorage(place: PlatformStorage): void {
  void postStorageMessage(place, 'lti.put_data', { value: null })
}

interface StorageReply {
  subject?: unknown
  message_id?: unknown
  error?: unknown
  value?: unknown
}

/** One message and its answer (LTI client side postMessages 1.0). The launch endpoint's own script does the same, in any browser. */
function postStorageMessage(
  place: PlatformStorage,
  subject: string,
  more: { value?: null } = {},
): Promise<StorageReply | null> {
  const target = storageFrame(place)
  if (!target) return Promise.resolve(null)
  const { key, origin } = place
  const id = `assay-${key}-${subject}`
  return new Promise((resolve) => {
    const late = setTimeout(() => finish(null), TIMEOUT_MS)
    function hear({ data, origin: from, source }: MessageEvent<StorageReply | null>) {
      if (from !== origin || source !== target || typeof data !== 'object' || data === null) return
      if (data.subject !== `${subject}.response` || data.message_id !== id) return
      finish(data.error ? null : data)
    }
    function finish(answer: StorageReply | null) {
      clearTimeout(late)
      window.removeEventListener('message', hear)
      resolve(answer)
    }
    window.addEventListener('message', hear)
    target.postMessage({ subject, message_id: id, key, ...more }, origin)
  })
}

function storageFrame({ frame }: PlatformStorage): Window | null {
  const around: Window | null = window.parent === window ? window.opener : window.parent
  if (frame === '_parent' || !around) return around
  try {
    // Of a page on another site its frames can be had by their names, and nothing else; one that is not there throws.
    const found: Window | undefined = Reflect.get(around, frame)
    return found ?? null
  } catch {
    return null
  }
}
