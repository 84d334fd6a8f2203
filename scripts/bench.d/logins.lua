-- The logins of requests.ts for wrk: 90 % of those who ask have paid. Arguments: users, active.
local requests = {}
local next = 0

function init(args)
  local users, active = tonumber(args[1]), tonumber(args[2])
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
  for n = 0, 19999 do
    local who = (n * 7919) % active
    if n % 10 == 0 then who = active + (n * 7919) % (users - active) end
    local high, low = math.floor(who / 65536), who % 65536
    local mac = string.format("A4%%3A83%%3A%02X%%3A%02X%%3A%02X%%3A%02X", math.floor(high / 256), high % 256, math.floor(low / 256), low % 256)
    local body = string.format("username=2557%08d&password=&mac=%s&ip=10.5.50.9", who, mac)
    requests[n + 1] = wrk.format("POST", "/api/router/auth/", headers, body)
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
