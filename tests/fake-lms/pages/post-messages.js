// How the LMS's pages talk with the tool in their frame: “LTI Client Side postMessages” and “LTI postMessage Storage”.
// One script for the page around the tool (`page`) and for the frame beside it that stores data for tools (`storage`).
const { role, target, origins, back, resizes } = document.currentScript.dataset
const known = JSON.parse(origins)
const keepsData = role === 'storage' || target === '_parent'
const KEYS = 500
const CHARACTERS = 4096

/** Everything tools said, for tests to look at. */
const heard = role === 'storage' ? window.parent.ltiMessages : []
if (role === 'page') window.ltiMessages = heard

const prefix = (origin) => `lti|${origin}|`

function put(origin, key, value) {
  if (value === null || value === undefined) {
    localStorage.removeItem(prefix(origin) + key)
    return {}
  }
  const others = Object.keys(localStorage).filter(
    (one) => one.startsWith(prefix(origin)) && one !== prefix(origin) + key,
  )
  const size = others.reduce((sum, one) => sum + one.length + localStorage.getItem(one).length, 0)
  if (others.length >= KEYS || size + value.length > CHARACTERS)
    return { error: { code: 'storage_exhaustion', message: 'The tool stores too much here' } }
  localStorage.setItem(prefix(origin) + key, value)
  return { value }
}

function store({ subject, key, value }, origin) {
  if (typeof key !== 'string' || key === '') return { error: { code: 'bad_request', message: 'key must be text' } }
  if (subject === 'lti.get_data') return { key, value: localStorage.getItem(prefix(origin) + key) }
  if (typeof value !== 'string' && value !== null && value !== undefined)
    return { error: { code: 'bad_request', message: 'value must be text' } }
  return { key, ...put(origin, key, value) }
}

function resize({ height }, source) {
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.style.height = `${Math.ceil(Number(height))}px`
  return {}
}

function close() {
  window.location.href = back
  return null
}

const capabilities = () => ({
  supported_messages: [
    { subject: 'lti.capabilities' },
    ...(resizes ? [{ subject: 'lti.frameResize' }] : []),
    { subject: 'lti.close' },
    ...(target
      ? [
          { subject: 'lti.put_data', frame: target },
          { subject: 'lti.get_data', frame: target },
        ]
      : []),
  ],
})

/** The answer, or null where none is given. */
function answer(message, { origin, source }) {
  switch (message.subject) {
    case 'lti.capabilities':
    case 'org.imsglobal.lti.capabilities':
      return capabilities()
    case 'lti.put_data':
    case 'lti.get_data':
      return keepsData ? store(message, origin) : { error: { code: 'wrong_origin' } }
    case 'lti.frameResize':
      return role === 'page' && resizes ? resize(message, source) : null
    case 'lti.close':
    case 'org.imsglobal.lti.close':
      return role === 'page' ? close() : null
    default:
      return { error: { code: 'unsupported_subject' } }
  }
}

window.addEventListener('message', (event) => {
  let message = event.data
  if (typeof message === 'string') {
    // Older tools send their messages as text.
    try {
      message = JSON.parse(message)
    } catch {
      return
    }
  }
  if (typeof message?.subject !== 'string' || message.subject.endsWith('.response')) return
  const allowed = known.includes(event.origin)
  heard.push({ ...message, origin: event.origin, frame: role, allowed })
  // Strangers are not told that there is anybody.
  if (!allowed) return
  const reply = answer(message, event)
  if (!reply || !event.source) return
  const { subject, message_id } = message
  event.source.postMessage({ subject: `${subject}.response`, message_id, ...reply }, event.origin)
})
