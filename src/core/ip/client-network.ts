import { formatIp, ipv4BehindTransition, parseIp } from './address.ts';

/**
 * The name under which a client is counted: an IPv4 address as it is; the /64 of an IPv6 address, within which one
 * household or machine chooses addresses freely; IPv6 forms that contain an IPv4 address (mapped, NAT64, 6to4, Teredo)
 * count as that one. `unknown` for what is not an address. For counting only: such a form proves nothing about its
 * sender.
 */
export function clientNetwork(text: string | undefined): string {
  return clientNetworks(text)[0];
}

/**
 * The same, and behind it the /56 and /48 that contain an IPv6 address: what a provider assigns to one customer, who has
 * 256 or 65,536 networks of the first kind.
 */
export function clientNetworks(text: string | undefined): string[] {
  const address = text === undefined ? undefined : parseIp(text);
  if (!address) return ['unknown'];
  if (address.length === 4) return [formatIp(address)];
  const carried = ipv4BehindTransition(address);
  if (carried) return [formatIp(carried)];
  return [64, 56, 48].map((bits) => `${formatIp(address.map((byte, at) => (at < bits / 8 ? byte : 0)))}/${bits}`);
}
