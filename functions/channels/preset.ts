/** The channel "HTTP" with the settings that `presetCall` derives from the buyer's. */
import type { HttpDelivery } from '#functions/channels/http';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import { PRESETS, presetCall } from '#shared/channels/preset-call';
import { type PresetChannel, readRequest } from '#shared/channels/preset-fields';

/** @param sandbox replaces the preset's address; only outside the cloud */
export function createPresetDelivery(
  channel: PresetChannel,
  http: HttpDelivery,
  sandbox: string | undefined,
): HttpDelivery {
  const { http_url: address } = readRequest(PRESETS[channel]);
  const overHttp = (payload: DeliveryPayload): DeliveryPayload => {
    const call = presetCall(channel, payload.buyer);
    const http_url = call.http_url === address ? (sandbox ?? address) : call.http_url;
    const http_secret = payload.buyer[`${channel}_api_key`];
    return { ...payload, buyer: { ...payload.buyer, ...call, http_url, http_secret } };
  };
  return {
    send: (payload, signal) => http.send(overHttp(payload), signal),
    tryOut: (payload, signal) => http.tryOut(overHttp(payload), signal),
    destination: (payload) => http.destination(overHttp(payload)),
  };
}
