/**
 * Who may talk to the server. Any page that a browser has open can send requests to 127.0.0.1, and a name of somebody
 * else's can be made to lead there (DNS rebinding). So a request needs three things: a Host that is this server's own, no
 * foreign Origin, and the token of this start, which the printed link carries and a cookie keeps.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is read of a request. */
export interface Asking {
  readonly method: string;
  /** Value of a header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403 | 421;
  readonly code: 'host' | 'origin' | 'token';
  readonly message: string;
}

/** Methods that change nothing. */
const safeMethods = ['GET', 'HEAD'];

export class Access {
  readonly #token: string;
  /** The cookie is another secret than the link: what a log keeps of one does not give the other. */
  readonly #session: string;

  constructor(
    readonly port: number,
    token = randomBytes(32).toString('base64url'),
  ) {
    this.#token = token;
    this.#session = createHmac('sha256', token).update('cookie').digest('base64url');
  }

  /** Opens the studio in a browser. `path` begins with a slash. */
  link(path = '/'): string {
    return `http://127.0.0.1:${this.port}/open?token=${this.#token}${path === '/' ? '' : `&to=${encodeURIComponent(path)}`}`;
  }

  /** For programs: `Authorization: Bearer ...`. */
  get token(): string {
    return this.#token;
  }

  /** Browsers send a cookie to every port of an address, so its name has the port. */
  get cookieName(): string {
    return `nemokit-${this.port}`;
  }

  get setCookie(): string {
    return `${this.cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  isToken(text: string | undefined): boolean {
    return isSame(text, this.#token);
  }

  /** The address that a request was sent to is this server's; undefined where it is. */
  hostRefusal(asking: Asking): Refusal | undefined {
    const host = asking.header('host');
    if (host !== undefined && this.#hosts().includes(host)) return undefined;
    return {
      status: 421,
      code: 'host',
      message: `this server answers at 127.0.0.1:${this.port} and localhost:${this.port} only; open the link that "nemokit studio" printed`,
    };
  }

  /** The page that sent a request is one of this server; undefined where it is, or where no page sent it. */
  originRefusal(asking: Asking): Refusal | undefined {
    const refusal: Refusal = {
      status: 403,
      code: 'origin',
      message: 'the request comes from a page of another site, and is refused',
    };
    const origin = asking.header('origin');
    const site = asking.header('sec-fetch-site');
    if (origin !== undefined && origin !== `http://${asking.header('host')}`) return refusal;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return refusal;
    // Browsers name the origin of everything that is not a plain reading; a cookie alone proves nothing.
    const isPlain = safeMethods.includes(asking.method);
    if (!isPlain && origin === undefined && site !== 'same-origin' && !this.#isBearer(asking)) return refusal;
    return undefined;
  }

  /** The request has the token, as a cookie or as `Authorization: Bearer`; undefined where it has. */
  tokenRefusal(asking: Asking): Refusal | undefined {
    if (this.#isBearer(asking)) return undefined;
    const cookies = asking.header('cookie')?.split(/;\s*/) ?? [];
    const prefix = `${this.cookieName}=`;
    const given = cookies.filter((cookie) => cookie.startsWith(prefix));
    if (given.some((cookie) => isSame(cookie.slice(prefix.length), this.#session))) return undefined;
    return {
      status: 401,
      code: 'token',
      message: 'the token is missing or of an earlier start; open the link that "nemokit studio" printed',
    };
  }

  #isBearer(asking: Asking): boolean {
    const given = /^Bearer (\S+)$/.exec(asking.header('authorization') ?? '');
    return given !== null && this.isToken(given[1]);
  }

  #hosts(): string[] {
    const names = ['127.0.0.1', 'localhost'];
    // browsers leave out the usual port
    return names.flatMap((name) => [`${name}:${this.port}`, ...(this.port === 80 ? [name] : [])]);
  }
}

/** Takes as long for every text of the same length. */
function isSame(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
